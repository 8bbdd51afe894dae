/// Keeps files short enough to be read in one sitting.
enum LengthCheck {
  static let linesMax = 500

  static func violations(in text: String, path: String) -> [Violation] {
    let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
    guard lines > linesMax else { return [] }
    return [
      Violation(
        path: path, line: linesMax + 1,
        message: "\(lines) lines, \(linesMax) at most; split the file by what it describes"
      )
    ]
  }
}
