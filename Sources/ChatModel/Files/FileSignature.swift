/// Tells by its first bytes whether a file can be of the type that it is said to be.
package enum FileSignature {
  /// How many bytes are looked at.
  package static let bytes = 16

  /// Whether a file that begins with these bytes can be of a type; of types that are only saved nothing is asked.
  package static func fits(_ type: MediaType, _ head: [UInt8]) -> Bool {
    guard type.isShown else { return true }
    return (signatures[type.text] ?? []).contains { $0.matches(head) }
  }

  /// Bytes at places.
  private struct Signature: Sendable {
    let parts: [(offset: Int, text: [UInt8])]

    init(_ parts: (Int, [UInt8])...) { self.parts = parts.map { (offset: $0.0, text: $0.1) } }

    func matches(_ head: [UInt8]) -> Bool {
      parts.allSatisfy { part in head.count >= part.offset + part.text.count && head[part.offset...].starts(with: part.text) }
    }
  }

  private static let isoMedia = [Signature((4, Array("ftyp".utf8)))]
  private static let matroska = [Signature((0, [0x1A, 0x45, 0xDF, 0xA3]))]
  private static let ogg = [Signature((0, Array("OggS".utf8)))]
  private static let riff = Array("RIFF".utf8)
  /// A frame of MPEG audio begins with eleven set bits, of which the layer follows.
  private static let mpegFrames: [Signature] = [0xFB, 0xFA, 0xF3, 0xF2, 0xE3, 0xE2].map { Signature((0, [0xFF, $0])) }
  private static let aacFrames: [Signature] = [0xF1, 0xF0, 0xF9, 0xF8].map { Signature((0, [0xFF, $0])) }

  private static let signatures: [String: [Signature]] = [
    "image/png": [Signature((0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))],
    "image/jpeg": [Signature((0, [0xFF, 0xD8, 0xFF]))],
    "image/gif": [Signature((0, Array("GIF87a".utf8))), Signature((0, Array("GIF89a".utf8)))],
    "image/webp": [Signature((0, riff), (8, Array("WEBP".utf8)))],
    "image/avif": [Signature((4, Array("ftypavif".utf8))), Signature((4, Array("ftypavis".utf8)))],
    "video/mp4": isoMedia, "video/quicktime": isoMedia, "audio/mp4": isoMedia,
    "video/webm": matroska, "audio/webm": matroska,
    "video/ogg": ogg, "audio/ogg": ogg,
    "audio/mpeg": [Signature((0, Array("ID3".utf8)))] + mpegFrames,
    "audio/aac": aacFrames,
    "audio/wav": [Signature((0, riff), (8, Array("WAVE".utf8)))],
    "audio/flac": [Signature((0, Array("fLaC".utf8)))],
  ]
}
