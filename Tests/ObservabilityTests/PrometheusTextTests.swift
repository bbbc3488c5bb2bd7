import TestSupport
import Testing

@testable import Observability

@Test func `families are written as the format wants them`() {
  var page = PrometheusText()
  page.counter("things", "Things \"so\" far.\nAll \\ of them.", [([], 1), ([("kind", "a\"b\\c\nd"), ("more", "é")], .max)])
  page.gauge("level", "The level.", [([], -3)])
  expectEqual(
    page.text,
    """
    # HELP parley_things_total Things "so" far.\\nAll \\\\ of them.
    # TYPE parley_things_total counter
    parley_things_total 1
    parley_things_total{kind="a\\"b\\\\c\\nd",more="é"} 18446744073709551615
    # HELP parley_level The level.
    # TYPE parley_level gauge
    parley_level -3

    """, "counter and gauge")
}

@Test func `ranges of a histogram are cumulative and in shown units`() {
  var sizes = Histogram(.count)
  for value in [1, 2, 2, 600] as [UInt64] { sizes.observe(value) }
  var page = PrometheusText()
  page.histogram("size", "Sizes.", [([("kind", "a")], sizes)])
  let lines = page.text.split(separator: "\n").map(String.init)
  expectEqual(lines.count, 15, "two lines of the family, eleven ranges, sum and count")
  for line in [
    "# TYPE parley_size histogram", "parley_size_bucket{kind=\"a\",le=\"1\"} 1", "parley_size_bucket{kind=\"a\",le=\"2\"} 3",
    "parley_size_bucket{kind=\"a\",le=\"512\"} 3", "parley_size_bucket{kind=\"a\",le=\"+Inf\"} 4", "parley_size_sum{kind=\"a\"} 605",
    "parley_size_count{kind=\"a\"} 4",
  ] {
    expect(lines.contains(line), line)
  }

  var times = Histogram(.duration)
  for value in [100, 1_000_000, 2_500_001] as [UInt64] { times.observe(value) }
  page = PrometheusText()
  page.histogram("seconds", "Times.", [([], times)])
  for line in ["le=\"0.0001\"} 1\n", "le=\"0.25\"} 1\n", "le=\"1\"} 2\n", "le=\"5\"} 3\n", "parley_seconds_sum 3.500101\n"] {
    expect(page.text.contains(line), line)
  }
}

@Test func `numbers in other units are exact decimals, and names of others keep their own beginning`() {
  var page = PrometheusText()
  page.counter("cpu_seconds", "Time.", [([], 1), ([], 1_000_001), ([], 2_000_000)], unitsPerShown: 1_000_000, prefix: "process_")
  page.gauge("level", "Level.", [([], -1_500), ([], .min), ([], 250)], unitsPerShown: 1_000, prefix: "x_")
  expectEqual(
    page.text,
    """
    # HELP process_cpu_seconds_total Time.
    # TYPE process_cpu_seconds_total counter
    process_cpu_seconds_total 0.000001
    process_cpu_seconds_total 1.000001
    process_cpu_seconds_total 2
    # HELP x_level Level.
    # TYPE x_level gauge
    x_level -1.5
    x_level -9223372036854775.808
    x_level 0.25

    """, "decimals")
}
