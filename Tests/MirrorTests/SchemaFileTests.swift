import ChildPrograms
import Contrail
import Testing

/// The schema of model classes as a file, and what `syncctl lint` says of it.
@Suite struct SchemaFileTests {
  let folder = TemporaryFolder()

  private func lint(_ file: String, _ options: String...) throws -> (
    end: ChildProgram.End, text: String
  ) {
    try ChildProgram.run(
      [ChildProgram.beside("syncctl"), "lint", file, "--profile", "contrail"] + options,
      in: folder.url.path)
  }

  private func write(_ schema: Schema, _ file: String) throws {
    try schema.save(to: folder.url.appending(path: file))
  }

  @Test func `a schema that was written is the same when it is read`() throws {
    try write(LogModels.schema, "Schema.json")
    let read = try Schema.load(from: folder.url.appending(path: "Schema.json"))
    #expect(read == LogModels.schema)
    #expect(try read.text() == LogModels.schema.text())
    #expect(read.entitiesByName["Instructor"]?.superentityName == "Pilot")
  }

  @Test func `models that can be mirrored have no findings`() throws {
    try write(LogModels.schema, "Schema.json")
    let found = try lint("Schema.json")
    #expect(found.end == .code(0))
    #expect(
      found.text
        == "no findings · 7 entities, 23 properties · compared with no promoted version\n")
  }

  @Test func `models that cannot have findings with what to do`() throws {
    try write(Schema([Ticket.self]), "Schema.json")
    let found = try lint("Schema.json")
    #expect(found.end == .code(1))
    let rules = found.text.split(separator: "\n").filter { $0.contains("Schema.json:") }
      .compactMap { $0.split(separator: "[").last?.dropLast() }.sorted()
    #expect(rules == ["delete-rule-deny", "relationship-required", "unique-constraint"])
  }

  @Test func `what production has stays: the lint holds models to the promoted file`() throws {
    let promoted = folder.url.appending(path: "promoted")
    try FileManager.default.createDirectory(at: promoted, withIntermediateDirectories: true)
    try write(Schema([Airport.self, Club.self]), "promoted/1.json")
    try write(Schema([Airport.self, Club.self]), "Schema.json")
    #expect(try lint("Schema.json", "--against", "promoted/").end == .code(0))
    try write(Schema([Airport.self]), "Schema.json")
    let found = try lint("Schema.json", "--against", "promoted/")
    #expect(found.end == .code(1))
    #expect(found.text.contains("[type-removed]"))
  }

  @Test func `a test writes the file anew, says what has changed, and passes from then on`() throws
  {
    let file = folder.path("Schema.json")
    func check(_ types: [any PersistentModel.Type]) -> String? {
      do {
        try assertSchema(Schema(types), isIn: file)
        return nil
      } catch { return "\(error)".replacing(file, with: "FILE") }
    }
    #expect(check([Airport.self]) == "FILE: expected a file, found none: it was written now")
    #expect(check([Airport.self]) == nil)
    #expect(
      check([Airport.self, LogEntry.self])?.contains("License: entity added") == true)
    #expect(check([Airport.self, LogEntry.self]) == nil)
    try "{".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(check([Airport.self])?.contains("what is no schema") == true)
    #expect(check([Airport.self]) == nil)
  }

  @Test func `a path is one of the package that has the test`() throws {
    let package = folder.url.appending(path: "Package.swift")
    try "".write(to: package, atomically: true, encoding: .utf8)
    let test = folder.path("Tests/AppTests/SchemaTests.swift")
    #expect(throws: SchemaAssertionFailure.self) {
      try assertSchema(Schema([Airport.self]), isIn: "Schema.json", source: test)
    }
    try assertSchema(Schema([Airport.self]), isIn: "Schema.json", source: test)
    #expect(FileManager.default.fileExists(atPath: folder.path("Schema.json")))
  }
}
