import JSONStream

/// `1 change`, `2 changes`, `0 entities`.
func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

extension JSONValue {
  /// A text as a JSON value.
  static func string(_ text: String) -> JSONValue { JSONValue(.string(text)) }
}

/// Rows in columns: each column as wide as its widest cell, the last one ragged.
func aligned(_ rows: [[String]], indent: String = "  ") -> String {
  let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
    rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
  }
  return rows.map { row in
    let cells = row.enumerated().map { column, cell in
      column == row.count - 1
        ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
    }
    return indent + cells.joined(separator: "  ") + "\n"
  }.joined()
}
