import COpenSSL
import Locks

/// The keys under which clients keep their sessions, so that they come back without a full handshake (RFC 5077, RFC 8446 §4.6.1).
///
/// The server keeps nothing of a session. All loops and all contexts of a certificate's life share the keys, so a client may come back to
/// any loop and after a reload. A key signs new tickets for as long as a ticket lives and is accepted for as long again: who steals the
/// memory of the process reads the TLS 1.2 sessions of some hours, not of weeks.
package final class TicketKeys: Sendable {
  /// How long a ticket lives, and how long a key makes new ones, in seconds.
  package static let lifetime: Int64 = 7_200

  private struct Key: Sendable {
    let name: [UInt8]
    let cipher: [UInt8]
    let mac: [UInt8]

    static let nameBytes = 16

    init?(_ random: Random) {
      guard let name = random(Self.nameBytes), let cipher = random(32), let mac = random(32) else { return nil }
      (self.name, self.cipher, self.mac) = (name, cipher, mac)
    }
  }

  /// Draws so many bytes; nil where there is no randomness.
  typealias Random = @Sendable (_ count: Int) -> [UInt8]?

  private struct Ring: Sendable {
    /// Makes new tickets; nil where there was no randomness: then there are no tickets.
    var current: Key?
    /// Is still accepted.
    var previous: Key?
    var madeAt: Int64
  }

  private let ring: Lock<Ring>
  private let random: Random

  /// Keys of their own.
  ///
  /// - Parameter now: Unix seconds.
  package convenience init(now: Int64) { self.init(now: now, random: randomBytes) }

  /// Keys of bytes that are drawn in a way.
  init(now: Int64, random: @escaping Random) {
    ring = Lock(Ring(current: Key(random), previous: nil, madeAt: now))
    self.random = random
  }

  /// Makes a new key where the present one is old enough; to be called now and then.
  ///
  /// - Parameter now: Unix seconds.
  package func rotate(now: Int64) {
    ring.withLock { ring in
      // A clock that was set back must not make a key live for ever, and without a key there is nothing to wait for.
      guard ring.current == nil || now < ring.madeAt || now - ring.madeAt >= Self.lifetime, let new = Key(random) else { return }
      ring = Ring(current: new, previous: now - ring.madeAt < 2 * Self.lifetime ? ring.current : nil, madeAt: now)
    }
  }

  /// Whether OpenSSL goes on with a ticket; the numbers are those of `SSL_CTX_set_tlsext_ticket_key_evp_cb`(3).
  enum Answer: Int32 {
    case failed = -1
    /// The ticket is unknown: a full handshake follows. Of a new one: there is none.
    case unknown = 0
    case good = 1
    /// The ticket is good, and the client gets a new one.
    case goodAndRenewed = 2
  }

  /// Prepares the encryption of a new ticket under the current key, whose name and a fresh vector are written out.
  fileprivate func seal(
    name: UnsafeMutablePointer<UInt8>, vector: UnsafeMutablePointer<UInt8>, cipher: OpaquePointer, mac: OpaquePointer
  ) -> Answer {
    guard let key = ring.withLock({ $0.current }) else { return .unknown }
    guard RAND_bytes(vector, EVP_MAX_IV_LENGTH) == 1,
      EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), nil, key.cipher, vector) == 1,
      parley_EVP_MAC_CTX_set_key(mac, key.mac, key.mac.count) == 1
    else { return .failed }
    for (index, byte) in key.name.enumerated() { name[index] = byte }
    return .good
  }

  /// Prepares the decryption of a ticket under the key that it names.
  fileprivate func open(
    name: UnsafePointer<UInt8>, vector: UnsafePointer<UInt8>, cipher: OpaquePointer, mac: OpaquePointer
  ) -> Answer {
    let wanted = UnsafeBufferPointer(start: name, count: Key.nameBytes)
    let (current, previous) = ring.withLock { ($0.current, $0.previous) }
    let isCurrent = current?.name.elementsEqual(wanted) ?? false
    guard let key = isCurrent ? current : previous, key.name.elementsEqual(wanted) else { return .unknown }
    guard parley_EVP_MAC_CTX_set_key(mac, key.mac, key.mac.count) == 1,
      EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), nil, key.cipher, vector) == 1
    else { return .failed }
    return isCurrent ? .good : .goodAndRenewed
  }

  // MARK: - OpenSSL's side

  /// Makes a context use the keys, which have to outlive it and its sessions.
  func install(in context: OpaquePointer) -> Bool {
    SSL_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(self).toOpaque()) == 1
      && SSL_CTX_set_tlsext_ticket_key_evp_cb(context, chooseTicketKey) == 1
  }
}

private func randomBytes(_ count: Int) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: count)
  defer { ERR_clear_error() }
  return RAND_bytes(&bytes, CInt(truncatingIfNeeded: count)) == 1 ? bytes : nil
}

/// What OpenSSL calls for each ticket, on the loop that makes or reads it.
private func chooseTicketKey(
  _ session: OpaquePointer?, _ name: UnsafeMutablePointer<UInt8>?, _ vector: UnsafeMutablePointer<UInt8>?, _ cipher: OpaquePointer?,
  _ mac: OpaquePointer?, _ isSealing: CInt
) -> CInt {
  guard let session, let name, let vector, let cipher, let mac, let context = SSL_get_SSL_CTX(session),
    let data = SSL_CTX_get_ex_data(context, 0)
  else { return TicketKeys.Answer.failed.rawValue }
  let keys = Unmanaged<TicketKeys>.fromOpaque(data).takeUnretainedValue()
  let answer =
    isSealing == 1
    ? keys.seal(name: name, vector: vector, cipher: cipher, mac: mac) : keys.open(name: name, vector: vector, cipher: cipher, mac: mac)
  return answer.rawValue
}
