import ChatModel
import Compression
import GatewayProtocol
import TestSupport
import Testing
import WebSocketProtocol

@testable import Gateway

@Suite struct SharedFrameTests {
  @Test func `it is compressed once, for all whose window is large enough`() throws {
    let pool = DeflatePool()
    let other = DeflatePool()
    for size in [255, 256, 512, 513, 4_096, 4_097, 100_000] {
      let text = chatText(size)
      let frame = SharedFrame(text: text, mayBeCompressed: true)
      expectEqual(frame.plain, FrameEncoder.frame(.text, text), "\(size) bytes")
      expectEqual(frame.textCount, size)
      for bits in 8...15 {
        let form = frame.compressed(windowBits: bits, with: bits % 2 == 0 ? pool : other)
        expectEqual(form != nil, size >= 256 && (bits == 15 || size <= 1 << bits), "\(size) bytes, \(bits) bits")
      }
      guard size >= 256 else { continue }
      let form = try #require(frame.compressed(windowBits: 15, with: pool))
      let again = try #require(frame.compressed(windowBits: 15, with: other))
      expect(
        form.frame.withUnsafeBytes { $0.baseAddress } == again.frame.withUnsafeBytes { $0.baseAddress }, "the same bytes on another loop")
      expectEqual(form.frame[0], 0xC1, "one frame with RSV1")
      let payload = Array(form.frame.suffix(form.payloadCount))
      let inflater = try #require(Inflater(windowBits: 15, keepsContext: false))
      let inflated = try payload.withUnsafeBytes { Array(try inflater.inflate($0, limit: size, into: pool.inflated)) }
      expect(inflated == text, "\(size) bytes")
    }
    expect(pool.compressed.capacity <= OutputBuffer.keptBytes, "large memory is given back")
  }

  @Test func `threads that want it at once all get the same form`() async {
    for round in 0..<20 {
      let frame = SharedFrame(text: chatText(20_000 + round), mayBeCompressed: true)
      let forms = await withTaskGroup(of: SharedFrame.Form?.self) { group in
        for _ in 0..<4 { group.addTask { frame.compressed(windowBits: 15, with: DeflatePool()) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      expect(forms.count == 4 && forms.allSatisfy { $0 != nil && $0 === forms[0] }, "round \(round)")
    }
  }

  @Test func `lists of conversations are never compressed`() {
    let conversation = ConversationID(stored: "room")
    let user = UserID(stored: "ann")
    let topics: [Topic] = [
      .conversation(conversation), .messages(conversation), .participants(conversation), .typing(conversation), .user(user), .online(user),
    ]
    for topic in topics { expect(!topic.showsManyRooms, "\(topic)") }
    for topic in [Topic.conversations(label: nil), .conversations(label: "mine")] { expect(topic.showsManyRooms, "\(topic)") }
  }

  @Test func `what does not become smaller goes as it is`() {
    var state: UInt64 = 1
    let noise = (0..<2_000).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    for (name, text, mayBeCompressed) in [("noise", noise, true), ("what must not be", chatText(2_000), false)] {
      let frame = SharedFrame(text: text, mayBeCompressed: mayBeCompressed)
      for _ in 0..<2 { expect(frame.compressed(windowBits: 15, with: DeflatePool()) == nil, name) }
    }
  }
}
