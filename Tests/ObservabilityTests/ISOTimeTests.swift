import TestSupport
import Testing

@testable import Observability

@Test func `times are written in UTC, leap years and times before 1970 included`() {
  let cases: [(Int64, String)] = [
    (0, "1970-01-01T00:00:00.000Z"), (1_796_040_000_000, "2026-11-30T12:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (951_868_799_999, "2000-02-29T23:59:59.999Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    (4_107_542_399_999, "2100-02-28T23:59:59.999Z"), (1_735_689_599_001, "2024-12-31T23:59:59.001Z"),
    (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
    (253_402_300_800_000, "10000-01-01T00:00:00.000Z"),
  ]
  for (time, text) in cases { expectEqual(ISOTime.text(time), text, text) }
  for time in [Int64.min, .max] { expect(ISOTime.text(time).hasSuffix("Z"), "\(time) does not trap") }
}
