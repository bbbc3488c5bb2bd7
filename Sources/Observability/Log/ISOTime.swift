/// Times in the form of RFC 3339, without Foundation's calendars.
package enum ISOTime {
  /// UTC with milliseconds, as `2026-11-30T12:00:00.000Z`.
  package static func text(_ unixMilliseconds: Int64) -> String {
    let (days, ofDay) = divided(unixMilliseconds, by: 86_400_000)
    let date = civil(days)
    let (seconds, milliseconds) = divided(ofDay, by: 1_000)
    let (minutes, second) = divided(seconds, by: 60)
    let (hour, minute) = divided(minutes, by: 60)
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
      + "T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2)).\(padded(milliseconds, 3))Z"
  }

  /// The date of the Gregorian calendar that is `days` after 1970-01-01.
  ///
  /// Counts eras of 400 years from 0000-03-01, so that a leap day ends its year (H. Hinnant, "chrono-compatible low-level date algorithms").
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = divided(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }

  /// Division that rounds down, also before 1970.
  private static func divided(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
