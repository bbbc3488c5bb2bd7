import TestSupport
import Testing

@testable import TLS

@Test func `new files are shown to new handshakes, bad ones leave the old, and each is told once`() throws {
  let folder = try TemporaryFiles()
  let certificates = try (1...4).map { try TestCertificate(serial: $0) }
  func write(_ certificate: Int, key: Int) throws {
    try folder.write(certificates[certificate - 1].pem, to: "tls.crt")
    try folder.write(certificates[key - 1].keyPEM, to: "tls.key")
  }
  try write(1, key: 1)
  let reloader = try CertificateReloader(folder.files, now: 0)
  let client = try TLSContext.client(trusting: .anybody)
  var running = try TLSPair(client, reloader.context)
  running.carry()
  func shown() throws -> String? {
    var pair = try TLSPair(client, reloader.context)
    pair.carry()
    return pair.client.session.peerSerial
  }
  expectEqual(try shown(), "01", "at first")
  expectEqual(reloader.check(now: 0), nil, "nothing changed")
  try write(2, key: 2)
  expectEqual(reloader.check(now: 1), nil, "the writer may be at work")
  guard case .replaced(let summary)? = reloader.check(now: 2) else { return expect(false, "not reloaded") }
  expectEqual(summary.serial, "02")
  expectEqual(try shown(), "02", "new handshakes")
  expectEqual(reloader.check(now: 3), nil, "once")
  running.client.send([1, 2, 3])
  running.carry()
  expectEqual(running.server.plaintext, [1, 2, 3], "running sessions go on")

  try write(3, key: 2)
  expectEqual([reloader.check(now: 4), reloader.check(now: 5), reloader.check(now: 6)], [nil, .refused(.mismatch), nil], "told once")
  expectEqual(reloader.reload(), .refused(.mismatch), "asked again")
  expectEqual(try shown(), "02", "the old one")
  expectEqual(reloader.failures, 2)
  try write(3, key: 3)
  guard case .replaced = reloader.reload() else { return expect(false, "not reloaded at once") }
  expectEqual(try shown(), "03", "as asked")
  expectEqual(reloader.check(now: 7), nil, "nothing is left to do")

  let missing = CertificateFiles(certificate: "\(folder.folder)/none", key: folder.path("tls.key"))
  expectEqual(reloader.reload(missing), .refused(.unreadable(path: missing.certificate)), "other files that are not there")
  expectEqual([reloader.check(now: 8), reloader.check(now: 9)], [nil, nil], "the old ones are watched on")
  try folder.write(certificates[3].pem, to: "other.crt")
  try folder.write(certificates[3].keyPEM, to: "other.key")
  let others = CertificateFiles(certificate: folder.path("other.crt"), key: folder.path("other.key"))
  guard case .replaced = reloader.reload(others) else { return expect(false, "other files") }
  expectEqual(try shown(), "04", "other files")
  expectEqual([reloader.check(now: 8), reloader.check(now: 9)], [nil, nil], "the new ones are watched")
}
