import ChatModel

/// What one subscriber sees of a list of conversations.
struct ListWindow {
  let label: String?
  /// How far it reaches; nil until the first page was read.
  var depth: ListDepth?
  /// The hash of the last snapshot that was shown.
  var lastHash: Int?
  /// Calls that wait for the page that is being loaded: callers in parallel load one (`docs/protocol.md`, Topics).
  var waiting: [CallID] = []
  /// How many entries the first of them asked for.
  var wanted = 0

  /// Makes a window that shows nothing yet.
  init(label: String?) { self.label = label }

  /// A page made the list known down to here; the window may have reached further meanwhile.
  mutating func deepen(to known: ListDepth) {
    if let depth, depth > known { return }
    depth = known
  }
}
