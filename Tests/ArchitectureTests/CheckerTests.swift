import Testing

/// The checks themselves, on sources made up to break each rule.
@Suite struct CheckerTests {
  private let row = ModuleRow(
    name: "DataModel", layer: .shared, imports: ["FoundationEssentials"], isPure: true)

  private func file(_ text: String) -> SourceFile {
    SourceFile(path: "Sources/Shared/DataModel/Made.swift", text: text)
  }

  @Test(arguments: [
    "import Glibc", "public import Glibc", "@_exported public import Glibc",
    "@testable import Glibc", "@_spi(Secret) import Glibc", "import struct Glibc.stat",
    "import Glibc.SubModule", "  internal   import Glibc // why",
    "#if os(Linux)\nimport Glibc\n#endif",
    "import FoundationEssentials; import Glibc", "@preconcurrency\nimport Glibc",
  ])
  func `an import that is not allowed is found however it is written`(text: String) {
    #expect(ImportCheck.violations(in: file(text), of: row).count == 1)
  }

  @Test func `a violation names file, line, module, the import and what is allowed`() {
    let found = ImportCheck.violations(in: file("// A comment.\n\nimport Glibc\n"), of: row)
    #expect(
      found.map(\.description) == [
        "Sources/Shared/DataModel/Made.swift:3: DataModel may not import Glibc; "
          + "allowed: FoundationEssentials"
      ])
  }

  @Test(arguments: [
    "import FoundationEssentials", "// import Glibc", "/* import Glibc */",
    "let text = \"import Glibc\"", "let text = \"\"\"\n  import Glibc\n  \"\"\"",
    "let important = 1",
  ])
  func `an allowed import, a comment and a text are no violations`(text: String) {
    #expect(ImportCheck.violations(in: file(text), of: row) == [])
  }

  @Test(arguments: [
    "let now = Date()", "let now = Date.init()", "let now = Date.now", "let now: Date = .now",
    "func f(at time: Date = Date()) {}", "let text = \"\\(Date())\"", "let name = UUID()",
    "let clock = ContinuousClock()", "let clock: ContinuousClock", "let n = Int.random(in: 1...6)",
    "let x = list.shuffled()", "let x = list.randomElement()",
    "var generator = SystemRandomNumberGenerator()", "FileManager.default.remove(x)",
    "let text = try String(contentsOfFile: path)", "print(1)", "let home = getenv(\"HOME\")",
  ])
  func `a pure module's hidden input or output is found`(text: String) {
    #expect(!PurityCheck.violations(in: file(text), of: row).isEmpty)
  }

  @Test(arguments: [
    "let day = Date(timeIntervalSince1970: 0)", "let name = UUID(uuidString: text)",
    "let n = Int.random(in: 1...6, using: &generator)", "let x = list.shuffled(using: &generator)",
    "func f(now: Date) { g(now: now) }", "let x = schema.print", "// Date()",
    "let text = \"UUID()\"", "event.now", "let date = Date.distantPast",
  ])
  func `values made from arguments are no violations`(text: String) {
    #expect(PurityCheck.violations(in: file(text), of: row) == [])
  }

  @Test func `a module that is not pure may look at the clock`() {
    var driver = row
    driver.isPure = false
    #expect(PurityCheck.violations(in: file("let now = Date()"), of: driver) == [])
  }

  @Test(arguments: [
    "let x = y!", "let x = y![0]", "let x = y!.z", "let x = try! f()", "let x = y as! Int",
    "fatalError()", "Swift.fatalError(\"no\")", "preconditionFailure()", "var x: Int!",
    "let x = y.unsafelyUnwrapped", "let text = \"\\(y!)\"",
  ])
  func `what ends the program is found`(text: String) {
    #expect(TrapCheck.violations(in: file(text), exceptions: []).count == 1)
  }

  @Test(arguments: [
    "let x = y != z", "let x = !y", "let x = try? f()", "let x = y as? Int", "// fatalError()",
    "let text = \"fatalError() y! try! \"", "let x = y ?? z",
  ])
  func `what only looks like a trap is no violation`(text: String) {
    #expect(TrapCheck.violations(in: file(text), exceptions: []) == [])
  }

  @Test func `an exception covers its own line only, and is reported when it covers none`() {
    let exception = TrapException(
      path: "Sources/Shared/DataModel/Made.swift", line: "let x = y!", proof: "y is set above")
    let source = file("let x = y!\nlet z = y!\n")
    #expect(TrapCheck.violations(in: source, exceptions: [exception]).map(\.line) == [2])
    #expect(TrapCheck.unused([exception], in: [source]).isEmpty)
    #expect(TrapCheck.unused([exception], in: [file("let x = 1\n")]).count == 1)
  }

  @Test(arguments: [
    "let x = Mutex<() -> Int>({ 1 })", "let x: Mutex<(@Sendable () -> Int)?>",
    "let x = Mutex<(Int, @Sendable (Int) async -> Void)>(y)",
  ])
  func `a lock that holds a function is found`(text: String) {
    #expect(LockCheck.violations(in: file(text)).count == 1)
  }

  @Test(arguments: ["let x = Mutex<[() -> Int]>([])", "let x = Mutex<Source?>(nil)"])
  func `a lock that holds something else is no violation`(text: String) {
    #expect(LockCheck.violations(in: file(text)) == [])
  }

  @Test func `the 501st line is one too many`() {
    func violations(lines: Int) -> [Violation] {
      LengthCheck.violations(
        in: String(repeating: "// A line.\n", count: lines), path: "Made.swift")
    }
    #expect(violations(lines: 500) == [])
    #expect(violations(lines: 501).map(\.line) == [501])
  }

  @Test func `a test target may not depend on a macro`() {
    let manifest = SourceFile(
      path: "Package.swift",
      text: """
        .macro(name: "DataModel", path: "Sources/Shared/DataModel"),
        .testTarget(name: "SomeTests", dependencies: ["DataModel"]),
        """)
    #expect(
      ManifestCheck.violations(in: manifest, rows: [row]).map(\.description) == [
        "Package.swift:2: SomeTests may not depend on the macro DataModel, which doubles the build; "
          + "test the module with its expansions"
      ])
  }

  @Test func `the manifest is held against the table`() {
    let manifest = SourceFile(
      path: "Package.swift",
      text: """
        .target(name: "DataModel", dependencies: ["Server"], path: "Sources/Shared/DataModel"),
        .target(name: "Stray", path: "Sources/Client/Stray"),
        .systemLibrary(name: "CThing", path: "Sources/System/CThing"),
        .target(name: "Helper", path: "Tests/Support/Helper"),
        """)
    let other = ModuleRow(name: "JSONStream", layer: .shared, imports: [])
    #expect(
      ManifestCheck.violations(in: manifest, rows: [row, other]).map(\.description) == [
        "Package.swift:1: no target for the module JSONStream",
        "Package.swift:1: DataModel may not depend on Server: its row does not allow the import",
        "Package.swift:2: the target Stray has no row in ModuleTable.rows",
      ])
  }
}
