import ChatEngine
import ChatModel
import Configuration
import Crypto
import Files
import Gateway
import GatewayProtocol
import Observability
import SQLiteStore
import Transport
import WebSocketProtocol

/// Turns the settings of a configuration into what the gateway is made of.
enum Assembly {
  static func services(
    _ settings: Settings, _ keys: Keys, _ store: SQLiteStore, _ probe: StoreProbe, _ figures: FigureSources,
    files: FileFolder,
    addresses: [SocketAddress], loops: Int, descriptors: DescriptorLimit, log: Logger
  ) throws(StartFailure) -> GatewayServices {
    let names = FigureSources.names
    let monitoring = Monitoring(
      loops: loops, empty: LoopMetrics(methods: names.methods.count, topicKinds: names.topicKinds.count), now: Tick.now().milliseconds,
      allowed: settings.metrics.allow.compactMap(Network.init), readiness: probe.failedChecks,
      page: { figures.page($0, isReady: $1) })
    return GatewayServices(
      name: settings.server.name, version: VersionCommand.version, chat: chat(settings), limits: limits(settings),
      connections: connections(settings.server, descriptors, loops: loops), guestSigner: try signer(store.guestKey),
      isLoopbackOnly: addresses.allSatisfy { $0.isLoopback || $0.port == nil }, allowsQueryToken: settings.auth.queryToken,
      monitoring: monitoring, log: log, reloadable: try reloadable(settings, keys, guestKey: store.guestKey),
      files: try self.files(settings.files, store, files))
  }

  /// The folder beside the database, which asks the store what is still needed of it.
  static func fileFolder(_ settings: Settings, _ store: SQLiteStore) throws(StartFailure) -> FileFolder {
    let path = "\(settings.store.data)/files"
    do throws(FileStoreError) {
      let folder = try FileFolder(path) { hashes, done in
        store.read(hashes.map { .isFileStored($0) }) { result in
          let answers = try? result.get()
          done(answers?.map { if case .flag(false) = $0 { false } else { true } })
        }
      }
      store.whenFilesReleased { [weak folder] in folder?.release($0) }
      return folder
    } catch {
      throw StartFailure("the folder \(path) cannot be used: it must be one that this user may write, on a disk with room")
    }
  }

  private static func files(
    _ settings: Configuration.FileSettings, _ store: SQLiteStore, _ folder: FileFolder
  ) throws(StartFailure) -> FileServices {
    var files = Gateway.FileSettings()
    files.maxBytes = settings.maxBytes
    files.types = settings.types
    files.bytesPerUser = Int64(settings.bytesPerUser)
    files.totalBytes = Int64(settings.totalBytes)
    files.uploadsPerMinute = settings.uploadsPerMinute
    do throws(TokenKeyError) {
      return FileServices(store: store, files: folder, settings: files, tokens: try FileTokens(storeKey: store.guestKey))
    } catch { throw StartFailure("the store's guest key: \(error.sentence)") }
  }

  /// What a reload replaces.
  static func reloadable(_ settings: Settings, _ keys: Keys, guestKey: [UInt8]) throws(StartFailure) -> ReloadableSettings {
    let policy = TokenPolicy(
      issuer: settings.auth.issuer, audience: settings.auth.audience, requiresExpiry: settings.auth.requireExpiry,
      roles: Set(settings.roles.keys))
    let guests: GuestPolicy = !StartRule.letsGuestsIn(settings) ? .refused : settings.auth.hasKey ? .anonymous : .named
    return ReloadableSettings(
      verifier: TokenVerifier(keys: keys.keys, guestKey: try guest(guestKey), policy: policy), guests: guests,
      guestsMustBeDirect: settings.auth.guests != true, roles: settings.roles.mapValues(permissions),
      origins: Set(settings.server.origins))
  }

  private static func guest(_ key: [UInt8]) throws(StartFailure) -> TokenKey {
    do throws(TokenKeyError) { return try TokenKey.secret(key) } catch { throw StartFailure("the store's guest key: \(error.sentence)") }
  }

  private static func signer(_ key: [UInt8]) throws(StartFailure) -> TokenSigner {
    do throws(TokenKeyError) { return try TokenSigner(key: try TokenKey.secret(key)) } catch {
      throw StartFailure("the store's guest key: \(error.sentence)")
    }
  }

  private static func chat(_ settings: Settings) -> ChatModel.ChatSettings {
    var chat = ChatModel.ChatSettings()
    let pages = settings.messages.pages
    chat.maxTextLength = settings.messages.maxTextLength
    chat.messages = window(pages.messages)
    chat.participants = window(pages.participants)
    chat.conversations = window(pages.conversations)
    chat.typingStartMs = Int64(settings.chat.typingTimeout) * 1000
    chat.presenceGraceMs = Int64(settings.presence.graceMs)
    chat.activityIntervalMs = settings.chat.storeUserActivityTimestamps ? Int64(settings.chat.storeUserActivityInterval) * 1000 : nil
    chat.syncsMutedUsers = settings.chat.syncMutedUsers
    let limits = settings.chat.rateLimitPerChannel
    for (type, base) in [
      (ConversationType.direct, limits.direct), (.group, limits.group), (.public, limits.public), (.unknown, limits.unknown),
    ] where base > 0 { chat.sendBaseMs[type] = UInt64(base) }
    chat.sendLimit.factor = UInt64(settings.chat.rateLimitFactor)
    chat.sendLimit.maxQueued = settings.chat.rateLimitMaxQueued
    chat.sendLimit.maxDelayMs = UInt64(settings.chat.rateLimitMaxDelay) * 1000
    chat.syncConversations = settings.sync.conversations
    chat.syncUsers = settings.sync.users
    chat.sessionsPerUser = settings.server.limits.connectionsPerUser
    chat.roles = Set(settings.roles.keys)
    chat.moderatingRoles = Set(settings.roles.filter(\.value.moderate).keys)
    let receipts = settings.chat.emitReadReceiptEvents
    let types: [(ConversationType, Bool)] = [
      (.direct, receipts.direct), (.group, receipts.group), (.public, receipts.public), (.unknown, receipts.unknown),
    ]
    chat.receipts = Set(types.filter(\.1).map(\.0))
    return chat
  }

  private static func window(_ page: PageSettings) -> ChatModel.ChatSettings.Window {
    ChatModel.ChatSettings.Window(initial: page.initial, maxPage: page.max, defaultPage: page.default)
  }

  private static func limits(_ settings: Settings) -> SessionLimits {
    let limits = settings.server.limits
    let calls = CallLimits(
      maxMessageBytes: limits.maxMessageBytes, maxTextLength: settings.messages.maxTextLength, maxBatch: limits.maxBatch,
      maxDepth: limits.maxJSONDepth)
    var session = SessionLimits(
      calls: calls, maxFragments: limits.maxFragments, maxInFlight: limits.maxInFlight, maxSubscriptions: limits.maxSubscriptions)
    session.operationsPerSecond = limits.operationsPerSecond
    session.operationsBurst = limits.operationsBurst
    session.authenticationMs = UInt64(limits.authenticationMs)
    return session
  }

  private static func connections(_ server: ServerSettings, _ descriptors: DescriptorLimit, loops: Int) -> ConnectionLimits {
    var limits = ConnectionLimits()
    limits.setHeads(maxBytes: server.limits.maxHeadBytes, maxFields: server.limits.maxHeaderFields)
    limits.handshakeMs = UInt64(server.limits.handshakeMs)
    limits.heartbeatMs = UInt32(clamping: server.heartbeatMs)
    limits.graceMs = UInt32(clamping: server.graceMs)
    limits.outboundBytes = server.limits.outboundBytes
    limits.inflatedPerSecond = server.limits.inflatedBytesPerSecond
    limits.drainMs = UInt64(server.drainMs)
    limits.compression = server.compression.enabled ? DeflatePolicy(keepsContexts: server.compression.contextTakeover) : nil
    limits.maxConnections = server.limits.connections
    limits.maxPerAddress = server.limits.connectionsPerAddress
    limits.proxies = TrustedProxies(server.proxies)
    limits.keepSpareDescriptors(of: descriptors.soft, loops: loops)
    return limits
  }

  private static func permissions(_ role: RoleSettings) -> Permissions {
    var permissions = Permissions()
    permissions.send = scope(role.messages.send)
    permissions.react = scope(role.messages.react)
    permissions.reply = scope(role.messages.reply)
    permissions.edit = scope(role.messages.edit)
    permissions.delete = scope(role.messages.delete)
    permissions.files = role.files
    permissions.locations = role.locations
    permissions.links = role.links
    permissions.moderate = role.moderate
    permissions.manageUsers = role.manageUsers
    permissions.manageConversations = role.manageConversations
    return permissions
  }

  private static func scope(_ reach: RoleSettings.Reach) -> Permissions.Scope {
    switch reach {
    case .none: .none
    case .own: .own
    case .all: .all
    }
  }
}
