/// The two users of a direct conversation, in their canonical order.
package struct DirectPair: Hashable, Sendable {
  /// The user whose id sorts first by UTF-16 units.
  package let first: UserID
  /// The other user.
  package let second: UserID

  /// Orders two users; nil when they are the same one.
  package init?(_ one: UserID, _ other: UserID) {
    guard one != other else { return nil }
    // The SDKs that made ids of this form sorted by UTF-16 unit, which differs from the order of scalars.
    if one.text.utf16.lexicographicallyPrecedes(other.text.utf16) {
      (first, second) = (one, other)
    } else {
      (first, second) = (other, one)
    }
  }

  /// Whether the user is one of the two.
  package func contains(_ user: UserID) -> Bool { user == first || user == second }

  /// The id of the pair's conversation: `direct.` and a hash of both ids, as PubNub's chat SDKs derive it.
  package var conversation: ConversationID {
    ConversationID(stored: "direct.\(Self.hash(first.text + "&" + second.text))")
  }

  /// A 53-bit hash over UTF-16 units (a variant of cyrb53 with seed 0).
  static func hash(_ text: String) -> Int64 {
    var low: UInt32 = 0xdead_beef
    var high: UInt32 = 0x41c6_ce57
    for unit in text.utf16 {
      low = (low ^ UInt32(unit)) &* 0x85eb_ca77
      high = (high ^ UInt32(unit)) &* 0xc2b2_ae3d
    }
    low ^= (low ^ high >> 15) &* 0x735a_2d97
    high ^= (high ^ low >> 15) &* 0xcaf6_49a9
    low ^= high >> 16
    high ^= low >> 16
    let combined = Int64(Int32(bitPattern: high)) * 2_097_152 + Int64(low >> 11)
    return combined < 0 ? combined & 0x1f_ffff_ffff_ffff : combined
  }
}
