import ChatModel
import JSON

/// Reads how a session is opened.
enum ReadOpening {
  /// What a guest says of themselves: both members may be absent.
  static func guest(_ argument: Argument) throws(ChatError) -> SessionOpening {
    guard let members = argument.value.object else { throw argument.invalid("must be an object") }
    if let unknown = members.first(where: { !$0.hasKey("name") && !$0.hasKey("id") }) {
      throw .invalid("guest.\(unknown.key.quotedName)", "is not a parameter of this method")
    }
    let name = argument.member("name", as: "guest.name")
    let id = argument.member("id", as: "guest.id")
    return .guest(name: try name.map(Read.name), id: try id.map(Read.user))
  }

  /// Exactly one of the two ways.
  static func opening(token: String?, guest: SessionOpening?) throws(ChatError) -> ClientRequest {
    switch (token, guest) {
    case (let token?, nil): return .openSession(.token(token))
    case (nil, let guest?): return .openSession(guest)
    case (nil, nil): throw .invalid("token", "or guest must be there")
    case (_?, _?): throw .invalid("token", "and guest must not both be there")
    }
  }
}
