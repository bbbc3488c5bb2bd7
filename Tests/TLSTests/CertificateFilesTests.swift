import TestSupport
import Testing

@testable import TLS

@Test func `files are read whole, and what cannot be read is named`() throws {
  let folder = try TemporaryFiles()
  let long = [UInt8](repeating: 0x61, count: 50_000)
  try folder.write(long, to: "tls.crt")
  try folder.write([1, 2, 3], to: "tls.key")
  expectEqual(try folder.files.read(), TLSCredentials(certificates: long, key: [1, 2, 3]))
  let huge = [UInt8](repeating: 0x61, count: 3 << 20)
  try folder.write(huge, to: "huge")
  let cases = ["\(folder.folder)/missing", folder.folder, folder.path("huge")]
  for path in cases {
    do throws(CredentialProblem) {
      _ = try CertificateFiles(certificate: folder.path("tls.crt"), key: path).read()
      expect(false, path)
    } catch { expectEqual(error, .unreadable(path: path)) }
  }
}

@Test func `every exchange of a file shows, also behind links`() throws {
  let folder = try TemporaryFiles()
  expectEqual(folder.files.marks(), FileMarks(certificate: nil, key: nil), "no files")
  for name in ["one", "two"] {
    try folder.makeFolder(name)
    for file in ["tls.crt", "tls.key"] { try folder.write([1, 2, 3], to: "\(name)/\(file)") }
  }
  // As Kubernetes mounts a secret.
  try folder.link("..data", to: "one")
  for file in ["tls.crt", "tls.key"] { try folder.link(file, to: "..data/\(file)") }
  let first = folder.files.marks()
  expect(first.certificate != nil && first.key != nil, "there")
  expectEqual(folder.files.marks(), first, "nothing changed")
  try folder.link("..data", to: "two")
  let second = folder.files.marks()
  expect(second.certificate != first.certificate && second.key != first.key, "the folder behind the link was exchanged")
  try folder.write([1, 2, 3], to: "two/tls.key")
  expect(folder.files.marks().key != second.key, "a file of the same length")
  expectEqual(folder.files.marks().certificate, second.certificate, "the other one")
}
