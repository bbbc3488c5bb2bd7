import ChatModel
import FuzzSupport
import HTTPProtocol

@testable import Gateway

/// Reads what a request says of a file: its query, its type, the range that is asked for, its name and its first bytes.
///
/// A line break in the input stands between two of them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let parts = FuzzInput(start, count).parts(at: 10, most: 4)
  let texts = parts.map { String(decoding: $0, as: UTF8.self) }
  guard let query = texts.first else { return 0 }
  let type = texts.count > 1 ? texts[1] : nil
  checkQuery(query)
  checkType(type ?? query, head: parts.last ?? [])
  for size in [Int64(0), 1, 10, .max] { checkRange(texts.count > 2 ? texts[2] : query, size) }
  checkName(texts.last ?? "")
  checkUpload(query, type, head: parts.last ?? [])
  return 0
}

private func checkQuery(_ text: String) {
  guard let query = QueryItems(text) else { return }
  requireEqual(Set(query.items.map { Array($0.name.utf8) }).count, query.items.count, "each name is there once")
  let again = query.items.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
  requireEqual(QueryItems(again), query, "written and read again")
  for item in query.items { requireEqual(query[item.name].map { Array($0.utf8) }, Array(item.value.utf8), "found by its name") }
}

private func escaped(_ text: String) -> String {
  let digits = Array("0123456789ABCDEF")
  return text.utf8.reduce(into: "") { $0 += "%\(digits[Int($1 >> 4)])\(digits[Int($1 & 15)])" }
}

private func checkType(_ text: String, head: [UInt8]) {
  guard let type = MediaType(text) else { return }
  requireEqual(MediaType(type.text), type, "read again")
  require(type.text.utf8.count <= MediaType.maxBytes && type.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a type is visible ASCII")
  require(type.matches("*/*") && type.matches("\(type.family)/*") && type.matches(type.text), "a type is of its family")
  requireEqual(type.kind != nil, type.isShown, "what is shown is shown as something")
  if !type.isShown { require(FileSignature.fits(type, head), "what is only saved may be anything") }
}

private func checkRange(_ field: String, _ size: Int64) {
  guard case .part(let range) = ByteRange(field, size: size) else { return }
  require(range.lowerBound >= 0 && range.upperBound <= size && !range.isEmpty, "a part lies in the whole")
}

private func checkName(_ name: String) {
  let field = ContentDisposition.value(isShown: false, filename: name)
  require(field.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "a field is ASCII without control characters")
  requireEqual(field.utf8.count { $0 == UInt8(ascii: "\"") }, 2, "a name stays in its quotes")
  let parts = field.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
  let pair = "a=" + String(decoding: parts.last.map(Array.init) ?? [], as: UTF8.self)
  requireEqual(QueryItems(pair)?["a"].map { Array($0.utf8) }, Array(name.utf8), "the name comes back")
  guard (try? FileName.check(name)) != nil else { return }
  require(!name.contains("/") && !name.contains("\\") && name != ".." && !name.isEmpty, "a name is no path")
  require(name.unicodeScalars.count <= FileName.maxScalars, "a name has its length")
}

private func checkUpload(_ text: String, _ type: String?, head: [UInt8]) {
  guard let query = QueryItems(text) else { return }
  let fields = type.map { [HeaderField("Content-Type", $0)] } ?? []
  let request = RequestHead(method: "POST", target: "/files", host: "a", fields: fields, body: .length(5))
  do throws(UploadRequest.Refusal) {
    let upload = try UploadRequest(request, query, FileSettings())
    let details = upload.details(of: 5, head: head)
    require((try? FileName.check(details.filename)) != nil, "a name that is taken is good")
    requireEqual(details.kind == nil, !details.mediaType.isShown, "what is shown is shown as something")
    if details.mediaType.isShown { require(FileSignature.fits(details.mediaType, head), "what is shown begins as such a thing") }
    require((details.width ?? 1) > 0 && (details.height ?? 1) > 0 && (details.durationMs ?? 0) >= 0, "numbers are in their ranges")
  } catch {
    require((400...415).contains(error.response.status), "a refusal has its status")
  }
}
