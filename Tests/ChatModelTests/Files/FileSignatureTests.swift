import ChatModel
import TestSupport
import Testing

@Suite struct FileSignatureTests {
  private static let heads: [(String, [UInt8])] = [
    ("image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]), ("image/jpeg", [0xFF, 0xD8, 0xFF, 0xE0]),
    ("image/gif", Array("GIF89a".utf8)), ("image/webp", Array("RIFF....WEBP".utf8)), ("image/avif", Array("....ftypavif".utf8)),
    ("video/mp4", Array("....ftypisom".utf8)), ("video/quicktime", Array("....ftypqt  ".utf8)), ("audio/mp4", Array("....ftypM4A ".utf8)),
    ("video/webm", [0x1A, 0x45, 0xDF, 0xA3]), ("audio/webm", [0x1A, 0x45, 0xDF, 0xA3]), ("video/ogg", Array("OggS".utf8)),
    ("audio/ogg", Array("OggS".utf8)), ("audio/mpeg", Array("ID3".utf8)), ("audio/mpeg", [0xFF, 0xFB]), ("audio/aac", [0xFF, 0xF1]),
    ("audio/wav", Array("RIFF....WAVE".utf8)), ("audio/flac", Array("fLaC".utf8)),
  ]

  @Test func `bytes are of their own type and of no picture's else`() {
    for (type, head) in Self.heads {
      expect(FileSignature.fits(MediaType(stored: type), head), type)
      expect(!FileSignature.fits(MediaType(stored: type), []), "\(type) of nothing")
      expect(!FileSignature.fits(MediaType(stored: type), Array("<html><script>".utf8)), "\(type) of a page")
      let isPicture = type.hasPrefix("image/")
      if isPicture, type != "image/gif" { expect(!FileSignature.fits(MediaType(stored: "image/gif"), head), "\(type) as gif") }
    }
    expect(FileSignature.fits(MediaType(stored: "text/html"), []), "what is only saved may be anything")
    expect(Self.heads.allSatisfy { $0.1.count <= FileSignature.bytes }, "all that is needed is looked at")
  }
}
