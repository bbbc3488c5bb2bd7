import HTTPProtocol

/// The header fields by which a proxy shows itself.
enum ForwardingFields {
  /// Whether the request came through a proxy that says so.
  static func arePresent(in request: RequestHead) -> Bool {
    request.fields.contains { field in
      let name = field.name.lowercased()
      return name == "forwarded" || name == "via" || name == "x-real-ip" || name.hasPrefix("x-forwarded-")
    }
  }
}
