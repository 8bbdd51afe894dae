/// Measures the suites that the arguments name, all of them when they name none.
@main struct Bench {
  /// Every suite; a new one is one row here and one folder.
  static let suites: [Suite] = [
    Suite(name: "json", run: JSONSuite.run),
    Suite(name: "lint", run: LintSuite.run),
  ]

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let flags = Set(arguments.filter { $0.hasPrefix("-") })
    let names = arguments.filter { !$0.hasPrefix("-") }
    let unknown =
      flags.subtracting(["--json", "--quick"])
      .union(names.filter { name in !suites.contains { $0.name == name } })
    guard unknown.isEmpty else {
      Terminal.error("unknown: \(unknown.sorted().joined(separator: " "))\n\(usage)")
      Terminal.exit(2)
    }
    let report = Report(asJSON: flags.contains("--json"))
    let runner = Runner(isQuick: flags.contains("--quick"), report: report)
    do {
      for suite in suites where names.isEmpty || names.contains(suite.name) {
        try suite.run(runner)
      }
      try report.finish(runner.rows)
    } catch {
      Terminal.error("\(error)")
      Terminal.exit(1)
    }
    Terminal.exit(runner.rows.allSatisfy(\.met) ? 0 : 1)
  }

  static var usage: String {
    "usage: scripts/bench [\(suites.map(\.name).joined(separator: "|"))]… [--quick] [--json]"
  }
}

/// Rows that are measured together.
struct Suite: Sendable {
  let name: String
  let run: @Sendable (Runner) throws -> Void
}
