package import ChatEngine
import ChatModel
import GatewayProtocol
import Observability
package import Transport

/// A gateway that runs: loops, shards, sessions and listeners.
package final class GatewayServer: Sendable {
  /// What lives on one loop; only touched there.
  private final class Station {
    let hub: ChatHub
    var listeners: [Listener]
    /// The metrics on an address of their own, where this loop has them.
    let metrics: MetricsServer?

    init(hub: ChatHub, listeners: [Listener], metrics: MetricsServer?) {
      self.hub = hub
      self.listeners = listeners
      self.metrics = metrics
    }
  }

  package let services: GatewayServices
  /// The addresses that are listened on, with the ports that the system chose.
  package let addresses: [SocketAddress]
  private let loops: [EventLoop]
  private let drains: Mailboxes

  /// The inbox of each loop for the order to stop.
  private struct Mailboxes: Sendable { let boxes: [Mailbox<Order>] }

  /// What the server tells a loop.
  private enum Order: Sendable {
    /// Ask the clients to leave, and tell when they are gone.
    case drain(@Sendable () -> Void)
    /// End the connections that are left, and tell when the last has sent what it owes.
    case endAll(@Sendable () -> Void)
    /// The same for the metrics on an address of their own, which tell of the drain to its end.
    case endMetrics(@Sendable () -> Void)
  }

  private init(services: GatewayServices, addresses: [SocketAddress], loops: [EventLoop], drains: Mailboxes) {
    self.services = services
    self.addresses = addresses
    self.loops = loops
    self.drains = drains
  }

  /// Starts loops on sockets that listen already.
  ///
  /// - Parameters:
  ///   - services: What all loops share.
  ///   - store: Where the chat is kept.
  ///   - sockets: Where clients come in.
  ///   - metrics: Where the metrics alone are served, by the first loop and without TLS.
  ///   - tls: What `sockets` speak TLS with; nil: they speak none.
  ///   - loops: What does the work.
  package static func start(
    services: GatewayServices, store: any Store, sockets: ListeningSockets, metrics: ListeningSockets? = nil,
    tls: TLSWorkspace.Source? = nil, loops: [EventLoop]
  ) async throws -> GatewayServer {
    let directory = LoopDirectory(
      shards: loops.map { Mailbox<ShardMail>(of: $0) }, sessions: loops.map { Mailbox<SessionMail>(of: $0) })
    let drains = Mailboxes(boxes: loops.map { Mailbox<Order>(of: $0) })
    for loop in loops {
      try await loop.run { loop in
        let entrances = Entrances(sockets: sockets, metrics: loop.index == 0 ? metrics : nil, tls: tls)
        try settle(on: loop, services, store, entrances, directory, drains.boxes[loop.index])
        loop.start()
      }
    }
    services.whenReloaded { settings in
      let moderating = Set(settings.roles.filter(\.value.moderate).keys)
      for shard in directory.shards { shard.post(.rolesChanged(Set(settings.roles.keys), moderating: moderating)) }
    }
    services.monitoring.started()
    return GatewayServer(services: services, addresses: sockets.addresses, loops: loops, drains: drains)
  }

  /// Where clients come in on a loop.
  private struct Entrances {
    let sockets: ListeningSockets
    let metrics: ListeningSockets?
    let tls: TLSWorkspace.Source?
  }

  private static func settle(
    on loop: isolated EventLoop, _ services: GatewayServices, _ store: any Store, _ entrances: Entrances, _ directory: LoopDirectory,
    _ orders: Mailbox<Order>
  ) throws {
    let context = ConnectionContext(
      limits: services.connections, metrics: LoopMetrics(methods: Method.allCases.count, topicKinds: TopicKind.allCases.count),
      tls: entrances.tls.map { TLSWorkspace($0, on: loop) }, admission: services.admission, on: loop)
    guard let hub = ChatHub(services: services, directory: directory, context: context, on: loop) else { throw OutOfMemory() }
    let shard = Shard(
      settings: services.chat, store: store, directory: directory, isCompressing: services.connections.compression != nil,
      log: services.log, on: loop)
    loop.own(shard)
    context.requests = GatewayRequests(hub: hub, files: services.files.map { FileDesk($0, hub: hub, on: loop) })
    context.observer = hub
    let listeners = try entrances.sockets.accept(on: loop, into: context)
    let metrics = try entrances.metrics.map { try MetricsServer(sockets: $0, services: services, on: loop) }
    loop.own(OrderTaker(orders, Station(hub: hub, listeners: listeners, metrics: metrics)))
    hub.start(on: loop)
  }

  /// There is no memory for a parser.
  private struct OutOfMemory: Error {}

  /// Does what the server tells its loop.
  private final class OrderTaker: MailboxOwner {
    private let inbox: Mailbox<Order>
    private let station: Station

    init(_ inbox: Mailbox<Order>, _ station: Station) {
      self.inbox = inbox
      self.station = station
    }

    func mailArrived(on loop: isolated EventLoop) {
      for order in inbox.take(on: loop) {
        switch order {
        case .drain(let done):
          for listener in station.listeners { listener.close(on: loop) }
          station.listeners = []
          station.hub.startDrain(on: loop, done: done)
        case .endAll(let done): station.hub.context.endAll(on: loop, done: done)
        case .endMetrics(let done):
          if let metrics = station.metrics { metrics.stop(on: loop, done: done) } else { done() }
        }
      }
    }
  }

  /// Stops as `docs/protocol.md`, Heartbeat and closing says; returns when the last connection is gone.
  package func drain() async {
    services.monitoring.drainBegan()
    await tell { .drain($0) }
    // At once, so that who takes nothing of either is waited for once.
    async let chat: Void = tell { .endAll($0) }
    async let metrics: Void = tell { .endMetrics($0) }
    _ = await (chat, metrics)
    services.monitoring.drainEnded()
    for loop in loops { await loop.stop() }
  }

  /// Tells every loop something and waits until all have done it.
  private func tell(_ order: @escaping @Sendable (@escaping @Sendable () -> Void) -> Order) async {
    await withTaskGroup(of: Void.self) { group in
      for box in drains.boxes {
        group.addTask { await withCheckedContinuation { done in box.post(order { done.resume() }) } }
      }
    }
  }
}
