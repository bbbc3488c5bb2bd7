import ChatEngine
import ChatModel
import Transport

// Which users guests may see: who moved is told to every loop, and the machines there ask the store one after the other.
extension Shard {
  func receiveSight(_ mail: ShardMail, on loop: isolated EventLoop) {
    switch mail {
    case .guestWatched(let pair, let isWatching, let notify):
      guestSights.note(pair, isWatching: isWatching)
      if isWatching, directory.shards.indices.contains(notify) { directory.shards[notify].post(.guestNoted(pair)) }
    case .guestNoted(let pair):
      guard guestSights.noted(pair) else { return }
      doubt(pair.guest, whoWatches: pair.user, on: loop)
    case .membersMoved(let movers):
      for mover in movers {
        for user in guestSights.moved(mover) { doubt(mover, whoWatches: user, on: loop) }
        if guestSights.isWatched(mover) { doubt(nil, whoWatches: mover, on: loop) }
      }
    case .looked(let key, let result):
      look(guestSights.finished(), on: loop)
      guard case .user(let id, let incarnation) = key, users[id]?.incarnation == incarnation else { return }
      tell(id, on: loop) { $0.looked(result, at: $1) }
    default: break
    }
  }

  /// Tells a machine that a guest, or with nil every guest, may see its user or not any more.
  private func doubt(_ guest: UserID?, whoWatches user: UserID, on loop: isolated EventLoop) {
    guard let host = users[user] else { return }
    perform(host.machine.sightChanged(of: guest), of: .user(user, incarnation: host.incarnation), on: loop)
  }

  func announceGuest(_ guest: UserID, isWatching: Bool, _ key: MachineKey) {
    guard case .user(let user, incarnation: _) = key else { return }
    let pair = GuestSights.Pair(guest: guest, user: user)
    if isWatching { guestSights.announce(pair, to: directory.shards.count) }
    announce(.guestWatched(pair, isWatching: isWatching, notify: index))
  }

  /// A machine wants to ask which guests see its user.
  func wantLook(_ key: MachineKey, on loop: isolated EventLoop) {
    if guestSights.begin(key) { look(key, on: loop) }
  }

  /// Lets the machine ask whose turn it is, or else the next that still has a question.
  private func look(_ first: MachineKey?, on loop: isolated EventLoop) {
    var turn = first
    while let key = turn {
      if let queries = questions(of: key) {
        return store.read(queries) { [inbox] in inbox.post(.looked(key, $0)) }
      }
      turn = guestSights.finished()
    }
  }

  private func questions(of key: MachineKey) -> [StoreQuery]? {
    guard case .user(let id, let incarnation) = key, let host = users[id], host.incarnation == incarnation else { return nil }
    let guests = host.machine.beginLook()
    for guest in guests { guestSights.ask(GuestSights.Pair(guest: guest, user: id)) }
    return guests.isEmpty ? nil : guests.map { .areTogether($0, id) }
  }
}
