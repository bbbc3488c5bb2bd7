// swift-tools-version: 6.2

import PackageDescription

// MARK: - Shared settings

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

func module(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(of name: String, uses dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.target(name: name), "TestSupport"] + dependencies,
    swiftSettings: settings
  )
}

func library(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// The fuzz target of one parser: the fuzzer brings the main function along (`Tests/Fuzz/README.md`).
func fuzzer(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: "Fuzz\(name)",
    dependencies: ["FuzzSupport"] + dependencies,
    path: "Tests/Fuzz/\(name)",
    exclude: ["corpus", "dictionary"],
    swiftSettings: settings
  )
}

// MARK: - Package

/// What `parley version` names: the variable is set by scripts and the image, the checkout is asked elsewhere.
let commit = Context.environment["PARLEY_COMMIT"] ?? Context.gitInformation?.currentCommit

/// Tests of modules without I/O, locks or C libraries.
///
/// `PARLEY_TESTS=edges` leaves them out: the sanitizer builds of `.ci/run` have nothing to find in them.
let pureTests: [Target] = [
  tests(of: "Bytes"),
  tests(of: "Queues"),
  tests(of: "HTTPProtocol", uses: ["Bytes"]),
  tests(of: "WebSocketProtocol", uses: ["Bytes", "HTTPProtocol"]),
  tests(of: "ChatModel"),
  tests(of: "ChatEngine", uses: ["ChatModel"]),
  tests(of: "GatewayProtocol", uses: ["ChatModel", "JSON"]),
  tests(of: "Configuration"),
  tests(of: "ChatSDK", uses: ["ChatModel"]),
]
let leavesPureTestsOut = Context.environment["PARLEY_TESTS"] == "edges"

let package = Package(
  name: "parley",
  products: [
    .executable(name: "parley", targets: ["parley"]),
    .library(name: "ChatSDK", targets: ["ChatSDK"]),
    .library(name: "ChatClient", targets: ["ChatClient"]),
    .library(name: "ChatInProcess", targets: ["ChatInProcess"]),
  ],
  targets: [
    // C libraries: a module map and the smallest shim.
    .systemLibrary(name: "CLinux"),
    library("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
    library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    library("CJOSE", pkgConfig: "cjose", apt: "libcjose-dev"),
    .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CBuild", cSettings: commit.map { [.define("PARLEY_COMMIT", to: "\"\($0)\"")] }),

    // Pure: values in, values out.
    module("Bytes"),
    module("Queues"),
    module("HTTPProtocol", uses: ["Bytes"]),
    module("WebSocketProtocol", uses: ["Bytes", "HTTPProtocol", "Queues"]),
    module("JSON", uses: ["CSimdJSON"]),
    module("ChatModel"),
    module("ChatEngine", uses: ["ChatModel"]),
    module("GatewayProtocol", uses: ["ChatModel", "JSON"]),
    module("Configuration"),
    module("Observability", uses: ["Locks"]),

    // Edges: each owns one kind of I/O or one C library.
    module("Locks"),
    module("Compression", uses: ["CZlib"]),
    module("Crypto", uses: ["CJOSE", "COpenSSL", "JSON"]),
    module("TLS", uses: ["COpenSSL", "Locks"]),
    module("Transport", uses: ["CLinux", "Locks"]),
    module("Files", uses: ["ChatEngine", "ChatModel", "Crypto", "Locks"]),
    module("SQLiteStore", uses: ["CSQLite", "ChatEngine", "ChatModel", "JSON", "Locks", "Observability"]),

    // The shell that runs the machines.
    module(
      "Gateway",
      uses: [
        "Bytes", "ChatEngine", "ChatModel", "Compression", "Configuration", "Crypto", "GatewayProtocol", "HTTPProtocol", "JSON", "Locks",
        "Observability", "Queues", "TLS", "Transport", "WebSocketProtocol",
      ]
    ),
    // For Swift programs: the chat, and the chat of a gateway.
    module("ChatSDK", uses: ["ChatModel", "Locks"]),
    module(
      "ChatClient",
      uses: [
        "ChatModel", "ChatSDK", "Crypto", "GatewayProtocol", "HTTPProtocol", "Locks", "TLS", "Transport", "WebSocketProtocol",
      ]
    ),
    module("ChatInProcess", uses: ["ChatModel", "ChatSDK", "Gateway", "Locks", "Observability", "SQLiteStore", "Transport"]),
    .executableTarget(
      name: "parley",
      dependencies: [
        "CBuild", "ChatEngine", "ChatModel", "Configuration", "Crypto", "Files", "Gateway", "GatewayProtocol", "Locks", "Observability",
        "SQLiteStore", "TLS", "Transport", "WebSocketProtocol",
      ],
      swiftSettings: settings
    ),

    // Tests mirror Sources, file by file.
    .target(
      name: "TestSupport", dependencies: ["COpenSSL", "ChatEngine", "ChatModel", "TLS"], path: "Tests/Support", swiftSettings: settings),
    tests(of: "JSON"),
    tests(of: "Observability", uses: ["Locks"]),
    tests(of: "Compression", uses: ["CZlib"]),
    tests(of: "Crypto"),
    tests(of: "TLS", uses: ["COpenSSL", "Locks"]),
    tests(of: "Transport", uses: ["Locks"]),
    tests(of: "Files", uses: ["ChatEngine", "ChatModel", "Crypto", "Locks"]),
    tests(of: "SQLiteStore", uses: ["ChatEngine", "ChatModel", "Observability"]),
    tests(
      of: "Gateway",
      uses: [
        "Bytes", "ChatEngine", "ChatModel", "Compression", "Crypto", "Files", "GatewayProtocol", "HTTPProtocol", "Locks", "Observability",
        "SQLiteStore", "TLS", "Transport",
        "WebSocketProtocol",
      ]
    ),
    tests(
      of: "ChatClient",
      uses: [
        "ChatEngine", "ChatInProcess", "ChatModel", "ChatSDK", "Crypto", "Gateway", "GatewayProtocol", "Locks", "Observability",
        "SQLiteStore", "TLS",
        "Transport",
      ]
    ),
  ] + (leavesPureTestsOut ? [] : pureTests),
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// MARK: - Fuzz targets

// The fuzzer brings a main function along, so the program and the unit tests stay out of that build, and so does what parses nothing.
if Context.environment["PARLEY_FUZZ"] == "1" {
  package.products = []
  package.targets.removeAll {
    $0.type == .test || $0.type == .executable
      || ["ChatClient", "ChatInProcess", "ChatSDK", "SQLiteStore", "TestSupport"].contains($0.name)
  }
  package.targets += [
    // Without what needs Swift Testing.
    .target(
      name: "TestSupport", dependencies: ["COpenSSL"], path: "Tests/Support", sources: ["TestCertificate.swift"], swiftSettings: settings),
    .target(name: "FuzzSupport", path: "Tests/Fuzz/Support", swiftSettings: settings),
    fuzzer("Addresses", uses: ["Configuration", "Transport"]),
    fuzzer("Bytes", uses: ["Bytes", "Crypto", "JSON"]),
    fuzzer("Calls", uses: ["ChatModel", "GatewayProtocol", "JSON"]),
    fuzzer("Configuration", uses: ["Configuration"]),
    fuzzer("Deflate", uses: ["Compression"]),
    fuzzer("Files", uses: ["ChatModel", "Gateway", "HTTPProtocol"]),
    fuzzer("Frames", uses: ["WebSocketProtocol"]),
    fuzzer("Handshake", uses: ["Crypto", "Gateway", "HTTPProtocol", "Transport", "WebSocketProtocol"]),
    fuzzer("JSON", uses: ["JSON"]),
    fuzzer("Markup", uses: ["ChatModel"]),
    fuzzer("Names", uses: ["ChatModel", "GatewayProtocol"]),
    fuzzer("Proxy", uses: ["HTTPProtocol", "Transport"]),
    fuzzer("Replies", uses: ["ChatModel", "GatewayProtocol"]),
    fuzzer("RequestHead", uses: ["HTTPProtocol"]),
    fuzzer("ResponseHead", uses: ["Crypto", "HTTPProtocol", "WebSocketProtocol"]),
    fuzzer("TLS", uses: ["TLS", "TestSupport"]),
    fuzzer("Tokens", uses: ["COpenSSL", "Crypto"]),
  ]
}
