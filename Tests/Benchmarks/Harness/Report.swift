import JSONStream

/// Prints rows: a table with progress for people, or one array of JSON for scripts.
final class Report {
  private let asJSON: Bool
  private var isHeaderPrinted = false

  init(asJSON: Bool) { self.asJSON = asJSON }

  /// Shows that a row is being measured, where someone can see it.
  func began(_ name: String) {
    if !asJSON && !isHeaderPrinted {
      Terminal.print(
        Self.line("", "unit", "ours", "floor", "ratio", "target", "", "peak MB", "") + "\n")
      isHeaderPrinted = true
    }
    Terminal.progress("  \(name) ")
  }

  func advanced() { Terminal.progress(".") }

  func ended(_ row: Row) {
    Terminal.progress(nil)
    if asJSON { return }
    let verdict = row.target == nil && row.isRight ? "" : row.met ? "met" : "MISSED"
    Terminal.print(
      Self.line(
        row.name, row.unit, Self.text(row.ours), Self.text(row.floor), Self.text(row.ratio),
        row.target.map { "≤ \(Self.text($0))" } ?? "–", verdict, Self.text(row.peakMemoryMB),
        row.note) + "\n")
  }

  func finish(_ rows: [Row]) throws {
    guard asJSON else { return }
    var json = JSONWriter(.pretty)
    json.array { json in
      for row in rows { Self.write(row, to: &json) }
    }
    Terminal.print(String(decoding: try json.finish(), as: UTF8.self))
  }

  private static func write(_ row: Row, to json: inout JSONWriter) {
    func member(_ key: StaticString, _ value: Double?, _ json: inout JSONWriter) {
      json.key(key)
      if let value { json.double(value) } else { json.null() }
    }
    json.object { json in
      json.member("name", row.name)
      json.member("unit", row.unit)
      member("ours", row.ours, &json)
      member("floor", row.floor, &json)
      member("ratio", row.ratio, &json)
      member("target", row.target, &json)
      json.member("met", row.met)
      member("peakMemoryMB", row.peakMemoryMB, &json)
      json.member("note", row.note)
    }
  }

  /// Three digits that count, or a whole number.
  private static func text(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "–" }
    if value == value.rounded() || value >= 100 { return "\(Int(value.rounded()))" }
    let digits: Double = value >= 10 ? 10 : value >= 1 ? 100 : 10_000
    return "\((value * digits).rounded() / digits)"
  }

  private static func line(_ cells: String...) -> String {
    let widths = [44, 5, 9, 9, 8, 9, 7, 8]
    var line = ""
    for (cell, width) in zip(cells, widths + [0]) {
      let padding = String(repeating: " ", count: max(0, width - cell.count))
      line += (width == widths[0] || width == 0 ? cell + padding : padding + cell) + "  "
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
