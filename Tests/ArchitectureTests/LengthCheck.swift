/// Keeps files short enough to be read in one sitting.
enum LengthCheck {
  static let linesMax = 500

  static func violations(in file: SourceFile) -> [Violation] {
    guard file.lineCount > linesMax else { return [] }
    return [
      Violation(
        path: file.path, line: linesMax + 1,
        message: "\(file.lineCount) lines, \(linesMax) at most; split the file by what it describes"
      )
    ]
  }
}
