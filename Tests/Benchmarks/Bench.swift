/// Measures the suites that the arguments name, all of them when they name none.
@main struct Bench {
  /// Every suite; a new one is one row here and one folder.
  static let suites: [Suite] = [
    Suite(name: "face", run: FaceSuite.run),
    Suite(name: "json", run: JSONSuite.run),
    Suite(name: "lint", run: LintSuite.run),
    Suite(name: "server", run: ServerSuite.run),
    Suite(name: "store", run: StoreSuite.run),
    Suite(name: "sync", run: SyncSuite.run),
    Suite(name: "wire", run: WireSuite.run),
  ]

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let only = arguments.last { $0.hasPrefix(onlyFlag) }.map {
      String($0.dropFirst(onlyFlag.count))
    }
    let flags = Set(arguments.filter { $0.hasPrefix("-") && !$0.hasPrefix(onlyFlag) })
    let names = arguments.filter { !$0.hasPrefix("-") }
    let unknown =
      flags.subtracting(["--json", "--quick"])
      .union(names.filter { name in !suites.contains { $0.name == name } })
    guard unknown.isEmpty else {
      Terminal.error("unknown: \(unknown.sorted().joined(separator: " "))\n\(usage)")
      Terminal.exit(2)
    }
    let report = Report(asJSON: flags.contains("--json"))
    let runner = Runner(isQuick: flags.contains("--quick"), only: only, report: report)
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

  /// Measures only the rows whose names contain what follows.
  static let onlyFlag = "--only="

  static var usage: String {
    "usage: scripts/bench [\(suites.map(\.name).joined(separator: "|"))]… [--quick] [--json] "
      + "[\(onlyFlag)part-of-a-name]"
  }
}

/// Rows that are measured together.
struct Suite: Sendable {
  let name: String
  let run: @Sendable (Runner) throws -> Void
}
