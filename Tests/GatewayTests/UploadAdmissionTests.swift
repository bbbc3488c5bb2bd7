import ChatModel
import TestSupport
import Testing
import Transport

@testable import Gateway

@Suite struct UploadAdmissionTests {
  private static func place(_ user: String, _ network: UInt32? = nil, bytes: Int64 = 10) -> UploadAdmission.Place {
    UploadAdmission.Place(user: UserID(stored: user), network: network.map { .ipv4($0) }, bytes: bytes)
  }

  private static let free = UploadAdmission.Usage(ofUser: 0, ofAll: 0)

  private static func settings(_ change: (inout FileSettings) -> Void = { _ in }) -> FileSettings {
    var settings = FileSettings()
    settings.uploadsPerMinute = 0
    change(&settings)
    return settings
  }

  @Test func `so many run at once of a user, of a network and of all`() {
    var admission = UploadAdmission()
    let settings = Self.settings()
    for number in 0..<4 { expectEqual(admission.begin(Self.place("ann"), Self.free, settings, at: 0), nil, "\(number)") }
    expectEqual(admission.begin(Self.place("ann"), Self.free, settings, at: 0), .busy, "the fifth of a user")
    admission.end(Self.place("ann"))
    expectEqual(admission.begin(Self.place("ann"), Self.free, settings, at: 0), nil, "when one is over")
    for number in 0..<32 { expectEqual(admission.begin(Self.place("n\(number)", 1), Self.free, settings, at: 0), nil, "\(number)") }
    expectEqual(admission.begin(Self.place("more", 1), Self.free, settings, at: 0), .busy, "the next of a network")
    admission.end(Self.place("n0", 1))
    expectEqual(admission.begin(Self.place("more", 1), Self.free, settings, at: 0), nil, "when one is over")
    for number in 36..<256 { expectEqual(admission.begin(Self.place("m\(number)"), Self.free, settings, at: 0), nil, "\(number)") }
    expectEqual(admission.begin(Self.place("last"), Self.free, settings, at: 0), .busy, "of all")
  }

  @Test func `what runs counts as kept`() {
    var admission = UploadAdmission()
    let settings = Self.settings { ($0.bytesPerUser, $0.totalBytes) = (100, 150) }
    typealias Usage = UploadAdmission.Usage
    expectEqual(admission.begin(Self.place("ann", bytes: 60), Usage(ofUser: 41, ofAll: 41), settings, at: 0), .userIsFull, "too much")
    expectEqual(admission.begin(Self.place("ann", bytes: 60), Usage(ofUser: 40, ofAll: 40), settings, at: 0), nil, "just fits")
    expectEqual(admission.begin(Self.place("ann", bytes: 1), Usage(ofUser: 40, ofAll: 40), settings, at: 0), .userIsFull, "beside it")
    expectEqual(admission.begin(Self.place("bob", bytes: 51), Usage(ofUser: 0, ofAll: 40), settings, at: 0), .full, "of all")
    expectEqual(admission.begin(Self.place("bob", bytes: 50), Usage(ofUser: 0, ofAll: 40), settings, at: 0), nil, "just fits")
    admission.end(Self.place("ann", bytes: 60))
    expectEqual(admission.begin(Self.place("bob", bytes: 50), Usage(ofUser: 0, ofAll: 40), settings, at: 0), nil, "room again")
    expectEqual(admission.begin(Self.place("cem", bytes: .max), Usage(ofUser: .max, ofAll: .max), settings, at: 0), .userIsFull, "no trap")
    let open = Self.settings { ($0.bytesPerUser, $0.totalBytes) = (0, 0) }
    expectEqual(admission.begin(Self.place("cem", bytes: 9), Usage(ofUser: .max, ofAll: .max), open, at: 0), nil, "no limits")
  }

  @Test func `so many begin in a minute, and their time comes again`() {
    var admission = UploadAdmission()
    let settings = Self.settings { $0.uploadsPerMinute = 3 }
    func begin(_ user: String, at now: UInt64) -> UploadAdmission.Refusal? {
      defer { admission.end(Self.place(user)) }
      return admission.begin(Self.place(user), Self.free, settings, at: now)
    }
    for number in 0..<3 { expectEqual(begin("ann", at: 1_000), nil, "\(number)") }
    expectEqual(admission.begin(Self.place("ann"), Self.free, settings, at: 1_000), .tooOften(retryAfterMs: 20_000), "the fourth")
    expectEqual(begin("bob", at: 1_000), nil, "another user")
    expectEqual(begin("ann", at: 21_000), nil, "as it was told")
    expectEqual(admission.begin(Self.place("ann"), Self.free, settings, at: 21_000), .tooOften(retryAfterMs: 20_000), "one at a time")
    for number in 0..<2_000 { expectEqual(begin("u\(number)", at: 200_000 + UInt64(number) * 100), nil, "many users") }
  }
}
