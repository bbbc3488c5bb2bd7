import Glibc
import TestSupport
import Testing

@testable import TLS

@Test func `serial and end are those of the first certificate`() throws {
  let chain = try TestCertificate(serial: 0xABCDEF)
  let other = try TestCertificate(serial: 1)
  let context = try TLSContext(
    serving: TLSCredentials(certificates: chain.pem + other.pem, key: chain.keyPEM), tickets: TicketKeys(now: 0))
  let summary = try #require(context.certificate)
  expectEqual(summary.serial, "ABCDEF")
  let remaining = summary.expiresAt - Int64(time(nil))
  expect((Int64(TestCertificate.lifetime) - 120...Int64(TestCertificate.lifetime) + 120).contains(remaining), "\(remaining) s")
}
