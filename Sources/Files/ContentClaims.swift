import ChatModel

/// Which contents must stay although nothing in the store refers to them yet, and which may go.
///
/// A content is removed when the store says that nothing refers to it, and nobody took it up since the store was asked.
struct ContentClaims {
  private var holders: [FileHash: Int] = [:]
  private var doubtful: Set<FileHash> = []

  /// Somebody has a file of the content and is about to tell the store.
  mutating func hold(_ hash: FileHash) {
    holders[hash, default: 0] += 1
    doubtful.remove(hash)
  }

  /// The store was told, or never will be; returns whether it is to be asked about the content now.
  mutating func letGo(_ hash: FileHash) -> Bool {
    guard let count = holders[hash] else { return false }
    guard count <= 1 else {
      holders[hash] = count - 1
      return false
    }
    holders[hash] = nil
    return release(hash)
  }

  /// Something that referred to the content is gone; returns whether the store is to be asked about it.
  mutating func release(_ hash: FileHash) -> Bool {
    guard holders[hash] == nil else { return false }
    return doubtful.insert(hash).inserted
  }

  /// The store answered, or could not: nil; returns whether the content is to be removed.
  mutating func answered(_ hash: FileHash, isReferenced: Bool?) -> Bool {
    guard doubtful.remove(hash) != nil else { return false }
    return isReferenced == false
  }
}
