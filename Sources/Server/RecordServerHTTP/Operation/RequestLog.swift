import JSONStream

/// How much a server says of its own accord.
public enum LogLevel: String, Hashable, Sendable, CaseIterable, Comparable {
  case error, warning, info, debug

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// Errors are the least, and weigh most.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}

/// How lines of the log look.
public enum LogFormat: String, Hashable, Sendable, CaseIterable {
  /// One JSON object a line.
  case json
  /// `time level event key=value …`.
  case text
}

/// Writes one line for each event: what happened, and values under names.
///
/// Tokens, bodies and field values never stand in it.
public struct ServerLog: Sendable {
  /// A value of an event.
  public enum Value: Sendable, Hashable {
    case text(String)
    case number(Int64)
  }

  private let level: LogLevel
  private let format: LogFormat
  private let milliseconds: @Sendable () -> Int64
  private let write: @Sendable ([UInt8]) -> Void

  /// Writes events of `level` and weightier ones.
  public init(
    _ level: LogLevel, _ format: LogFormat, milliseconds: @escaping @Sendable () -> Int64,
    write: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.level = level
    self.format = format
    self.milliseconds = milliseconds
    self.write = write
  }

  /// Whether events of that level are written, for those that cost something to make.
  public func writes(_ level: LogLevel) -> Bool { level <= self.level }

  /// Writes an event.
  public func event(
    _ level: LogLevel, _ name: String, _ values: KeyValuePairs<String, Value?> = [:]
  ) {
    guard writes(level) else { return }
    let known = values.compactMap { key, value in value.map { (key, $0) } }
    let time = LogTime.text(milliseconds())
    switch format {
    case .json: write(json(time, level, name, known))
    case .text: write(text(time, level, name, known))
    }
  }

  private func json(
    _ time: String, _ level: LogLevel, _ name: String, _ values: [(String, Value)]
  ) -> [UInt8] {
    var writer = JSONWriter(bytesExpected: 256)
    writer.object { json in
      json.member("time", time)
      json.member("level", level.rawValue)
      json.member("event", name)
      for (key, value) in values {
        json.key(key)
        switch value {
        case .text(let text): json.string(text)
        case .number(let number): json.integer(number)
        }
      }
    }
    // Texts and integers can always be written.
    return ((try? writer.finish()) ?? []) + [UInt8(ascii: "\n")]
  }

  private func text(
    _ time: String, _ level: LogLevel, _ name: String, _ values: [(String, Value)]
  ) -> [UInt8] {
    let pairs = values.map { key, value in
      switch value {
      case .number(let number): "\(key)=\(number)"
      case .text(let text): "\(key)=\(Self.quoted(text))"
      }
    }
    return Array("\(([time, level.rawValue, name] + pairs).joined(separator: " "))\n".utf8)
  }

  /// A text that cannot begin a line of its own, or look like another value.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.value > 32 && $0.value < 127 && $0 != "\"" && $0 != "=" && $0 != "\\"
    }
    return isPlain && !text.isEmpty ? text : text.debugDescription
  }
}

/// Times in the log: UTC, to the millisecond.
enum LogTime {
  static func text(_ milliseconds: Int64) -> String {
    let (days, inDay) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    let (year, month, day) = civil(days)
    let seconds = inDay / 1000
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    return "\(date)T\(clock.joined(separator: ":")).\(padded(inDay % 1000, 3))Z"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(max(0, number))
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// The date of a day since 1970.
  ///
  /// See https://howardhinnant.github.io/date_algorithms.html
  private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
