import ChatModel
import JSON

/// A value of a call's params that is there, with the name under which it stands.
struct Argument {
  let name: StaticString
  let value: JSONValue
  let limits: CallLimits

  /// The error for a value of the wrong type or form.
  func invalid(_ reason: String) -> ChatError { .invalid(name.description, reason) }

  /// The error for a value beyond its bound.
  func tooLarge(_ reason: String) -> ChatError { .tooLarge(name.description, reason) }

  /// The member of an object, under a name of its own; nil when it is absent or `null`.
  func member(_ key: StaticString, as name: StaticString) -> Argument? {
    guard let value = value[key], !value.isNull else { return nil }
    return Argument(name: name, value: value, limits: limits)
  }
}

/// A parameter of a method: its name, whether it must be there, and what it is read as.
struct Parameter<Value>: Sendable {
  typealias Reader<Result> = @Sendable (Argument) throws(ChatError) -> Result

  let name: StaticString
  /// Reads the parameter's value, or what its absence means.
  let read: @Sendable (Argument?) throws(ChatError) -> Value

  /// Reads the parameter in a call's params.
  func value(in params: JSONValue?, _ limits: CallLimits) throws(ChatError) -> Value {
    try read(params?[name].map { Argument(name: name, value: $0, limits: limits) })
  }
}

/// The kinds of parameter, for the shapes of the methods.
extension CallShape {
  /// A parameter that every call names.
  static func required<Value>(_ name: StaticString, _ reader: @escaping Parameter<Value>.Reader<Value>) -> Parameter<Value> {
    Parameter(name: name) { (argument) throws(ChatError) in
      guard let argument else { throw .invalid(name.description, "is missing") }
      return try reader(argument)
    }
  }

  /// A parameter that may be absent or, which is the same, `null`.
  static func optional<Value>(_ name: StaticString, _ reader: @escaping Parameter<Value>.Reader<Value>) -> Parameter<Value?> {
    Parameter(name: name) { (argument) throws(ChatError) in
      guard let argument, !argument.value.isNull else { return nil }
      return try reader(argument)
    }
  }

  /// A field that stays as it is when absent, and that has no default to which `null` could take it back.
  static func kept<Value>(_ name: StaticString, _ reader: @escaping Parameter<Value>.Reader<Value>) -> Parameter<Value?> {
    Parameter(name: name) { (argument) throws(ChatError) in
      guard let argument else { return nil }
      return try reader(argument)
    }
  }

  /// A field that stays as it is when absent and goes back to its default with `null`.
  static func patch<Value>(
    _ name: StaticString, _ reader: @escaping Parameter<Value>.Reader<Value>
  ) -> Parameter<FieldPatch<Value>> {
    Parameter(name: name) { (argument) throws(ChatError) in
      guard let argument else { return .keep }
      return argument.value.isNull ? .reset : .set(try reader(argument))
    }
  }

  /// The custom fields in a call that creates: plain strings.
  static let newCustom = custom(allowsRemoval: false)
  /// The custom fields in a call that changes: `null` removes a key.
  static let changedCustom = custom(allowsRemoval: true)

  private static func custom(allowsRemoval: Bool) -> Parameter<CustomPatch> {
    Parameter(name: "custom") { (argument) throws(ChatError) in
      guard let argument else { return .keep }
      return argument.value.isNull ? .clear : .merge(try ReadCustom.changes(argument, allowsRemoval: allowsRemoval))
    }
  }
}
