import ChatModel
import ChatSDK
import Dispatch
import GatewayProtocol
import Transport

/// Gets what an attempt to connect needs: a token, and the host's addresses.
struct LinkPreparation: Sendable {
  let address: GatewayAddress
  let authentication: GatewayConfiguration.Authentication
  /// Where the host's name is not to be looked up.
  let hostAddresses: [String]

  /// Whether a new token can be got.
  var canRenew: Bool {
    switch authentication {
    case .tokens: true
    case .guest, .token: false
    }
  }

  /// Gets everything, and never answers before it returned.
  func prepare(guestToken: String?, _ done: @escaping @Sendable (Result<LinkMeans, ChatSDK.ChatError>) -> Void) {
    Task {
      do throws(ChatSDK.ChatError) {
        let opening = try await opening(guestToken: guestToken)
        let addresses = await addresses()
        guard !addresses.isEmpty else { throw ChatError(.connectionLost, "The host \(address.host) is not found") }
        done(.success(LinkMeans(opening: opening, addresses: addresses)))
      } catch { done(.failure(error)) }
    }
  }

  /// Gets a new token for the session in use; where there is none, the session ends with the old one.
  func renew(_ done: @escaping @Sendable (String) -> Void) {
    guard case .tokens(let fetch) = authentication else { return }
    Task { if let token = try? await fetch() { done(token) } }
  }

  private func opening(guestToken: String?) async throws(ChatSDK.ChatError) -> SessionOpening {
    switch authentication {
    case .token(let token): return .token(token)
    case .tokens(let fetch):
      do { return .token(try await fetch()) } catch { throw ChatError(.connectionLost, "There is no token: \(error)") }
    case .guest(let name, let id):
      if let guestToken { return .token(guestToken) }
      guard let id else { return .guest(name: name, id: nil) }
      do throws(IdentifierViolation) { return .guest(name: name, id: try UserID(id)) } catch {
        throw ChatError(.invalidParams, "guest.id \(error.sentence)", field: "guest.id")
      }
    }
  }

  private func addresses() async -> [SocketAddress] {
    if !hostAddresses.isEmpty { return hostAddresses.compactMap { NameLookup.literal($0, port: address.port) } }
    if let literal = NameLookup.literal(address.host, port: address.port) { return [literal] }
    return await withCheckedContinuation { continuation in
      // The resolver blocks.
      DispatchQueue.global().async { continuation.resume(returning: NameLookup.addresses(of: address.host, port: address.port)) }
    }
  }
}
