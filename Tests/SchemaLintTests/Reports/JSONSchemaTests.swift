import ChildPrograms
import Foundation
import Testing

@Suite struct `The JSON Schemas` {
  @Test(
    .enabled("python3-jsonschema is not installed") {
      (try? ChildProgram.run(["python3", "-c", "import jsonschema"]).end) == .code(0)
    })
  func `accept what the lint writes and what it reads`() throws {
    let script = FixtureFiles.repository.appending(path: "Tests/Commands/validate-json")
    let result = try ChildProgram.run([script.path, "--all"])
    #expect(result.end == .code(0), "\(result.text)")
  }
}
