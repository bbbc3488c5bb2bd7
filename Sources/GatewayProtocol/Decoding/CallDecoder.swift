import ChatModel
import JSON

/// Turns text messages of a client into calls; there is one for each event loop, because it keeps a parser.
///
/// JSON-RPC 2.0 is read strictly:
///
/// - The text must be JSON within `CallLimits`: no byte order mark, not too deep, numbers that fit. Else -32700.
/// - An object must be a request and nothing more: `jsonrpc` is `"2.0"`, `method` a string, `params` absent or an object or an
///   array, `id` absent or a string or a number, no other member. A member that stands there twice, at any depth, has no meaning
///   (RFC 8259 §4). Else -32600, with the id where it can be read and `null` where not, as the specification has it for objects
///   that are no requests. An object with `result` or `error` and without `method` is a response and ignored.
/// - Params are named: an array is -32602.
/// - A notification is never answered, whatever is wrong with its method or its params.
package struct CallDecoder {
  private let limits: CallLimits
  private let parser: JSONParser

  /// Makes a decoder; nil when there is no memory for its parser or the bounds are none.
  package init?(limits: CallLimits) {
    guard let parser = JSONParser(maxBytes: limits.maxMessageBytes, maxDepth: limits.maxDepth) else { return nil }
    self.limits = limits
    self.parser = parser
  }

  /// Reads one text message.
  package func decode(_ text: UnsafeRawBufferPointer) -> ClientFrame {
    switch parser.parse(text, { frame($0, text) }) {
    case .success(let frame): frame
    case .failure(let error): Self.refusal(of: error)
    }
  }

  /// Reads one text message; the same for an array.
  package func decode(_ text: [UInt8]) -> ClientFrame {
    text.withUnsafeBytes { decode($0) }
  }

  private static func refusal(of error: JSONError) -> ClientFrame {
    switch error.kind {
    case .invalidUTF8: .invalidUTF8
    case .syntax, .depth, .size, .numberOutOfRange, .duplicateKey: .refused(RPCError(.parseError, error.sentence))
    case .busy, .outOfMemory: .refused(RPCError(.chat(.internal), error.sentence))
    }
  }

  private func frame(_ root: JSONValue, _ text: UnsafeRawBufferPointer) -> ClientFrame {
    if let entries = root.array { return batch(entries, text) }
    guard root.object != nil else { return .refused(.notARequest) }
    return call(root, text, nil).map { .single($0) } ?? .ignored
  }

  private func batch(_ entries: JSONArray, _ text: UnsafeRawBufferPointer) -> ClientFrame {
    let count = entries.count
    guard count > 0 else { return .refused(.invalidRequest("A batch must not be empty")) }
    guard count <= limits.maxBatch else { return .refused(.invalidRequest("A batch must have at most \(limits.maxBatch) entries")) }
    let calls = zip(entries, JSONText.elements(of: text, limit: count)).map { entry, range in
      // A response counts as a call, so that nobody gets around the limits with them, but is not answered.
      call(entry, text, range) ?? ClientCall(id: nil, request: .failure(.notARequest))
    }
    return .batch(calls)
  }

  /// Reads one request; nil when it is a response.
  private func call(_ entry: JSONValue, _ text: UnsafeRawBufferPointer, _ range: Range<Int>?) -> ClientCall? {
    guard let members = entry.object else { return ClientCall(id: .null, request: .failure(.notARequest)) }
    let envelope = Envelope(members)
    if envelope.isResponse { return nil }
    let id: RequestID?
    do throws(RPCError) { id = try readID(envelope, text, range) } catch { return ClientCall(id: .null, request: .failure(error)) }
    do throws(RPCError) {
      let name = try checkedMethod(envelope, entry)
      return call(id, name, envelope.params, text, range)
    } catch {
      return ClientCall(id: id ?? .null, request: .failure(error))
    }
  }

  private func call(
    _ id: RequestID?, _ name: UnsafeRawBufferPointer, _ params: JSONValue?, _ text: UnsafeRawBufferPointer, _ range: Range<Int>?
  ) -> ClientCall {
    guard let method = Method(utf8: name) else {
      guard id == nil, name.elementsEqual(Self.cancelMethod.utf8) else {
        return ClientCall(id: id, request: .failure(.methodNotFound))
      }
      return ClientCall(id: nil, request: cancellation(params, text, range))
    }
    do throws(ChatError) {
      guard params?.array == nil else { throw .invalid("params", "must be an object with named members") }
      let (request, actAs) = try method.shape.read(params, limits)
      return ClientCall(id: id, method: method, actAs: actAs, request: .success(request))
    } catch {
      return ClientCall(id: id, method: method, request: .failure(RPCError(error)))
    }
  }

  // MARK: Parts of a request

  private static let cancelMethod = "$/cancelRequest"

  private func readID(
    _ envelope: Envelope, _ text: UnsafeRawBufferPointer, _ range: Range<Int>?
  ) throws(RPCError) -> RequestID? {
    guard let value = envelope.id else { return nil }
    guard !envelope.hasManyIDs else { throw .invalidRequest("The member id is there twice", field: "id") }
    return try id(value, JSONText.memberValue("id", of: text, in: range), text)
  }

  private func id(_ value: JSONValue, _ place: Range<Int>?, _ text: UnsafeRawBufferPointer) throws(RPCError) -> RequestID {
    switch value.kind {
    case .string, .int, .uint, .double: break
    case .null, .bool, .array, .object: throw .invalidRequest("id must be a string or a number", field: "id")
    }
    guard let place, let id = RequestID(json: UnsafeRawBufferPointer(rebasing: text[place])) else {
      throw .invalidRequest("id must have at most \(RequestID.maxBytes) bytes", field: "id")
    }
    return id
  }

  private func checkedMethod(_ envelope: Envelope, _ entry: JSONValue) throws(RPCError) -> UnsafeRawBufferPointer {
    if let key = entry.firstDuplicateKey()?.quotedName { throw .invalidRequest("A member named \(key) is there twice", field: key) }
    guard envelope.version?.isString("2.0") == true else { throw .invalidRequest("jsonrpc must be \"2.0\"", field: "jsonrpc") }
    guard let method = envelope.method?.rawStringBytes else { throw .invalidRequest("method must be a string", field: "method") }
    if let key = envelope.unknown?.key.quotedName { throw .invalidRequest("\(key) is not a member of a request", field: key) }
    switch envelope.params?.kind {
    case nil, .object, .array: return method
    case .null, .bool, .int, .uint, .double, .string: throw .invalidRequest("params must be an object", field: "params")
    }
  }

  private func cancellation(
    _ params: JSONValue?, _ text: UnsafeRawBufferPointer, _ range: Range<Int>?
  ) -> Result<ClientRequest, RPCError> {
    do throws(RPCError) {
      guard let value = params?["id"], let place = JSONText.memberValue("params", of: text, in: range) else {
        throw RPCError(.invalid("id", "is missing"))
      }
      return .success(.cancel(try id(value, JSONText.memberValue("id", of: text, in: place), text)))
    } catch {
      return .failure(error)
    }
  }
}

extension RPCError {
  fileprivate static let notARequest = RPCError.invalidRequest("The JSON is not a request object")
}
