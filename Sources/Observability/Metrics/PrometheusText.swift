/// Builds a page in Prometheus' text format, version 0.0.4.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
package struct PrometheusText: Sendable, Equatable {
  /// The value of `Content-Type` for the page.
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"
  /// What every name starts with.
  package static let prefix = "parley_"

  /// A label with its value, from a closed set.
  package typealias Label = (name: String, value: String)

  /// The page so far.
  package private(set) var text = ""

  /// An empty page.
  package init() {}

  /// A number that only grows; `_total` is added to its name.
  ///
  /// - Parameters:
  ///   - unitsPerShown: How many counted units make one shown unit, a power of ten.
  ///   - prefix: What the name starts with; another one for names that other programs use too.
  package mutating func counter(
    _ name: String, _ help: String, _ samples: [(labels: [Label], value: UInt64)], unitsPerShown: UInt64 = 1,
    prefix: String = PrometheusText.prefix
  ) {
    let name = "\(prefix)\(name)_total"
    family(name, help, type: "counter")
    for sample in samples { line(name, sample.labels, Self.shown(sample.value, unitsPerShown)) }
  }

  /// A number that grows and shrinks; `unitsPerShown` and `prefix` are as for counters.
  package mutating func gauge(
    _ name: String, _ help: String, _ samples: [(labels: [Label], value: Int64)], unitsPerShown: UInt64 = 1,
    prefix: String = PrometheusText.prefix
  ) {
    let name = prefix + name
    family(name, help, type: "gauge")
    for sample in samples {
      line(name, sample.labels, (sample.value < 0 ? "-" : "") + Self.shown(sample.value.magnitude, unitsPerShown))
    }
  }

  /// Histograms of one name; ranges are cumulative as the format wants them.
  package mutating func histogram(_ name: String, _ help: String, _ samples: [(labels: [Label], value: Histogram)]) {
    let name = Self.prefix + name
    family(name, help, type: "histogram")
    for (labels, histogram) in samples {
      var below: UInt64 = 0
      for (index, count) in histogram.counts.enumerated() {
        below &+= count
        let isLast = index == histogram.layout.bounds.count
        let bound = isLast ? "+Inf" : Self.shown(histogram.layout.bounds[index], histogram.layout.unitsPerShown)
        line("\(name)_bucket", labels + [(name: "le", value: bound)], "\(below)")
      }
      line("\(name)_sum", labels, Self.shown(histogram.sum, histogram.layout.unitsPerShown))
      line("\(name)_count", labels, "\(below)")
    }
  }

  private mutating func family(_ name: String, _ help: String, type: String) {
    text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(type)\n"
  }

  private mutating func line(_ name: String, _ labels: [Label], _ value: String) {
    text += name
    if !labels.isEmpty {
      text += "{" + labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }.joined(separator: ",") + "}"
    }
    text += " \(value)\n"
  }

  /// A number in shown units as a plain decimal, exact where a floating-point number would not be.
  private static func shown(_ value: UInt64, _ unitsPerShown: UInt64) -> String {
    guard unitsPerShown > 1 else { return "\(value)" }
    let (whole, rest) = value.quotientAndRemainder(dividingBy: unitsPerShown)
    guard rest > 0 else { return "\(whole)" }
    let places = "\(unitsPerShown)".count - 1
    var digits = "\(rest)"
    digits = String(repeating: "0", count: max(0, places - digits.count)) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
