/// What linting a large schema costs as a whole process, beyond starting the tool at all.
enum LintSuite {
  /// How much longer than `syncctl --version` a lint may take for each schema that it reads.
  static let beyondStartMillisecondsMax = 60.0

  static func run(_ runner: Runner) throws {
    let folder = try TemporaryFolder()
    let entities = runner.size(200)
    try folder.write(LargeModel.contents(entities: entities), to: "Large 2.xcdatamodel/contents")
    try folder.write(
      LargeModel.contents(entities: entities, isOlder: true), to: "Large.xcdatamodel/contents")
    let current = folder.path("Large 2.xcdatamodel")
    let older = folder.path("Large.xcdatamodel")
    let syncctl = Program.beside("syncctl")
    let start = try syncctl.milliseconds(["--version"])
    try runner.wholeProcess(
      "lint of \(entities) entities", syncctl, ["lint", current], schemas: 1, beyond: start)
    try runner.wholeProcess(
      "the same against a promoted version", syncctl, ["lint", current, "--against", older],
      schemas: 2, beyond: start)
  }
}

extension Runner {
  /// Adds a row for a whole process, whose floor is the start of the same program.
  fileprivate func wholeProcess(
    _ name: String, _ program: Program, _ arguments: [String], schemas: Int, beyond start: Double
  ) throws {
    let limit = LintSuite.beyondStartMillisecondsMax * Double(schemas)
    let whole = try program.milliseconds(arguments)
    add(
      Row(
        name: name, unit: "ms", ours: whole, floor: start, target: nil, peakMemoryMB: 0,
        note: "\(((whole - start) * 10).rounded() / 10) ms beyond --version; at most \(limit) ms",
        isRight: whole - start <= limit))
  }
}
