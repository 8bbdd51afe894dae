/// A way to write a report down: a row in `ReportFormat.all`, and a file.
package struct ReportFormat: Sendable {
  /// The name that `--format` takes.
  package let name: String
  /// Who it is for, for the help text.
  package let purpose: String
  /// Writes the report, with a line end after the last line.
  package let render: @Sendable (LintReport, ReportOptions) throws -> String

  /// Every format, in the order of the help text.
  package static let all: [ReportFormat] = [
    text, json, sarif, codeScanning, junit, github, gitlab,
  ]

  /// The format of that name.
  package static func named(_ name: String) -> ReportFormat? { all.first { $0.name == name } }
}

/// What a renderer must be told, since it sees neither terminal nor disk.
package struct ReportOptions: Sendable {
  /// Whether text may be coloured.
  package var usesColour: Bool
  /// The directory that files in the report are relative to, absolute; nil when it is the
  /// repository's root.
  package var workingDirectory: String?
  /// The repository's root, absolute: formats that a forge reads name files relative to it.
  package var repositoryRoot: String?
  /// The bytes of the files that findings stand in, by the name that the report gives them; where
  /// one is missing, columns are counted in bytes.
  package var texts: [String: [UInt8]] { didSet { lineStarts = Self.lineStarts(of: texts) } }
  /// Where the lines of those files begin.
  private(set) var lineStarts: [String: [Int]]

  package init(
    usesColour: Bool = false, workingDirectory: String? = nil, repositoryRoot: String? = nil,
    texts: [String: [UInt8]] = [:]
  ) {
    self.usesColour = usesColour
    self.workingDirectory = workingDirectory
    self.repositoryRoot = repositoryRoot
    self.texts = texts
    lineStarts = Self.lineStarts(of: texts)
  }

  private static func lineStarts(of texts: [String: [UInt8]]) -> [String: [Int]] {
    texts.mapValues { text in
      [0] + text.indices.lazy.filter { text[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }
  }
}
