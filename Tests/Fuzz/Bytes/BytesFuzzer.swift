import Bytes
import Crypto
import FuzzSupport
import JSON

/// UTF-8, masking and Base64: what every message passes through, each compared with another way to the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  checkUTF8(&input)
  checkMasking(&input)
  checkBase64(input)
  return 0
}

private func checkUTF8(_ input: inout FuzzInput) {
  let bytes = Array(input.bytes)
  let isText = String(validating: bytes, as: UTF8.self) != nil
  requireEqual(bytes.withUnsafeBytes { UTF8Validator.isValid($0) }, isText, "our check and the standard library's")
  requireEqual(JSONParser.isValidUTF8(bytes), isText, "simdjson's check and the standard library's")
  var whole = UTF8Validator()
  let invalid = bytes.withUnsafeBytes { whole.firstInvalid(in: $0) }
  if let invalid { require(!isText && invalid < bytes.count, "an invalid byte is one of the bytes") }
  requireEqual(invalid == nil && whole.isComplete, isText, "no byte is invalid in a text")
  for ends in [input.pieces(of: bytes.count), Array(stride(from: 1, through: bytes.count, by: 1))] {
    var (validator, begin, found) = (UTF8Validator(), 0, Int?.none)
    for end in ends where found == nil {
      found = bytes[begin..<end].withUnsafeBytes { validator.firstInvalid(in: $0) }.map { $0 + begin }
      begin = end
    }
    requireEqual(found, invalid, "in pieces and whole")
    if found == nil { requireEqual(validator.isComplete, whole.isComplete, "complete in pieces and whole") }
  }
}

private func checkMasking(_ input: inout FuzzInput) {
  let bytes = Array(input.bytes)
  let key = UInt32(truncatingIfNeeded: input.number(in: 0...Int(UInt32.max)))
  let keyBytes = withUnsafeBytes(of: key) { Array($0) }
  let phase = input.number(in: 0...7)
  let expected = bytes.enumerated().map { $1 ^ keyBytes[($0 + phase) % 4] }
  var masked = bytes
  let isASCII = masked.withUnsafeMutableBytes { exclusiveOr($0, key: key, phase: phase) }
  requireEqual(masked, expected, "masked at once and byte by byte")
  requireEqual(isASCII, expected.allSatisfy { $0 < 0x80 }, "ASCII is told on the way")
  var (again, begin, turned) = (bytes, 0, rotated(key, by: phase))
  for end in input.pieces(of: bytes.count) {
    again.withUnsafeMutableBytes { _ = exclusiveOr(UnsafeMutableRawBufferPointer(rebasing: $0[begin..<end]), key: turned, phase: 0) }
    turned = rotated(turned, by: end - begin)
    begin = end
  }
  requireEqual(again, expected, "masked in pieces")
}

private func checkBase64(_ input: FuzzInput) {
  let bytes = Array(input.bytes)
  requireEqual(Base64.decode(Base64.encode(bytes)), bytes, "encoded and decoded")
  requireEqual(Base64.decodeURLSafe(Base64.encodeURLSafe(bytes)), bytes, "encoded for addresses and decoded")
  requireEqual(Base64URL.encode(bytes), Base64.encodeURLSafe(bytes), "two encoders")
  let text = input.text
  if let decoded = Base64.decode(text) { requireEqual(Array(Base64.encode(decoded).utf8), Array(text.utf8), "one text for the bytes") }
  let decoded = Base64.decodeURLSafe(text)
  if let decoded { requireEqual(Array(Base64.encodeURLSafe(decoded).utf8), Array(text.utf8), "one text for the bytes") }
  requireEqual(Base64URL.decode(text.utf8), decoded, "two decoders")
}
