import ChatModel
import JSON

/// The parameters of one method, each written once, and the request that they make.
struct CallShape: Sendable {
  /// The names of the parameters.
  let names: [StaticString]
  /// Names that the protocol keeps for parameters of a later version.
  let later: [StaticString]
  private let make: @Sendable (JSONValue?, CallLimits) throws(ChatError) -> ClientRequest

  /// Describes a method: its parameters in the order in which their errors are told, and what is made of their values.
  init<each Value>(
    _ parameters: repeat Parameter<each Value>, later: [StaticString] = [],
    make: @escaping @Sendable (repeat each Value) throws(ChatError) -> ClientRequest
  ) {
    var names: [StaticString] = []
    repeat names.append((each parameters).name)
    self.names = names
    self.later = later
    self.make = { (params, limits) throws(ChatError) in
      try make(repeat (each parameters).value(in: params, limits))
    }
  }

  /// The parameter that every method has.
  static let actAs = optional("actAs", Read.user)

  /// Reads a call's params; unknown names are refused before missing ones are named.
  func read(_ params: JSONValue?, _ limits: CallLimits) throws(ChatError) -> (ClientRequest, actAs: UserID?) {
    try refuseUnknown(params)
    let actAs = try Self.actAs.value(in: params, limits)
    return (try make(params, limits), actAs)
  }

  private func refuseUnknown(_ params: JSONValue?) throws(ChatError) {
    guard let members = params?.object else { return }
    for member in members {
      if member.hasKey(Self.actAs.name) || names.contains(where: { member.hasKey($0) }) { continue }
      let name = member.key.quotedName
      throw .invalid(name, later.contains { member.hasKey($0) } ? "is not there yet" : "is not a parameter of this method")
    }
  }
}

extension String {
  /// The name as it may stand in an error: shortened when nobody would read it to the end.
  var quotedName: String {
    guard utf8.count > CallLimits.maxQuotedName else { return self }
    var short = String.UnicodeScalarView()
    short.append(contentsOf: unicodeScalars.prefix(CallLimits.maxQuotedName))
    return String(short) + "…"
  }
}
