import JSON
import TestSupport
import Testing

@Suite struct JSONWriterFieldsTests {
  @Test func `fields of all types`() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("s", "x")
    writer.field("s0", nil as String?)
    writer.field("s1", Optional("y"))
    writer.field("i", 1 as Int64)
    writer.field("i0", nil as Int64?)
    writer.field("i1", Optional(2 as Int64))
    writer.field("n", 3)
    writer.field("b", true)
    writer.field("d", 0.5)
    writer.field("a", ["p", "q"])
    writer.field("e", [])
    writer.field("r", raw: Array("[1]".utf8))
    writer.field("no", ifPresent: nil as String?)
    writer.field("no", ifPresent: nil as Int64?)
    writer.field("yes", ifPresent: "z")
    writer.field("yes1", ifPresent: 4 as Int64?)
    writer.endObject()
    expectEqual(
      String(decoding: writer.bytes, as: UTF8.self),
      #"{"s":"x","s0":null,"s1":"y","i":1,"i0":null,"i1":2,"n":3,"b":true,"d":0.5,"a":["p","q"],"e":[],"r":[1],"yes":"z","yes1":4}"#
    )
  }

  @Test func `a parsed value is written again`() throws {
    let parser = try #require(JSONParser(maxBytes: 1000, maxDepth: 8))
    let text = #"{"a":[1,-2,1.5,18446744073709551615,true,false,null,"x\ny\u0000"],"b":{"c":{},"d":[]},"é\"":"😀"}"#
    let again = try parser.parse(Array((" " + text).utf8)) { root in
      var writer = JSONWriter()
      writer.value(root)
      return String(decoding: writer.bytes, as: UTF8.self)
    }.get()
    expectEqual(again, text)
  }
}
