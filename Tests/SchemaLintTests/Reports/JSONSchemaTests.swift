import Foundation
import Testing

@Suite struct `The JSON Schemas` {
  @Test(
    .enabled("python3-jsonschema is not installed") {
      (try? Self.run(["python3", "-c", "import jsonschema"]).code) == 0
    })
  func `accept what the lint writes and what it reads`() throws {
    let script = FixtureFiles.repository.appending(path: "Tests/Commands/validate-json")
    let result = try Self.run([script.path, "--all"])
    #expect(result.code == 0, "\(result.output)")
  }

  private static func run(_ command: [String]) throws -> (code: Int32, output: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
