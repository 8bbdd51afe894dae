import Testing

/// The sources of this checkout, held against the tables.
@Suite struct RepositoryTests {
  @Test(arguments: ModuleTable.rows)
  func `a module's files are found, so that the other tests look at something`(
    row: ModuleRow
  ) throws {
    #expect(try !Repository.sources(of: row).isEmpty)
  }

  @Test(arguments: ModuleTable.rows)
  func `a module imports only what its row allows`(row: ModuleRow) throws {
    for file in try Repository.sources(of: row) {
      report(ImportCheck.violations(in: file, of: row))
    }
  }

  @Test(arguments: ModuleTable.rows.filter(\.isPure))
  func `a pure module takes time, randomness and bytes as arguments`(row: ModuleRow) throws {
    for file in try Repository.sources(of: row) {
      report(PurityCheck.violations(in: file, of: row))
    }
  }

  @Test(arguments: Layer.allCases)
  func `every module's folder has a row, and every row has a folder`(layer: Layer) {
    let folders = Repository.folders(in: "Sources/\(layer.rawValue)")
    #expect(folders == Set(ModuleTable.rows.filter { $0.layer == layer }.map(\.name)))
  }

  @Test func `no other folder stands under Sources`() {
    let layers = Layer.allCases.map(\.rawValue) + ["System"]
    #expect(Repository.folders(in: "Sources").isSubset(of: layers))
  }

  @Test func `the manifest gives a target no dependency that its row does not allow`() throws {
    let manifest = SourceFile(
      path: "Package.swift", text: try Repository.text(of: "Package.swift"))
    report(ManifestCheck.violations(in: manifest, rows: ModuleTable.rows))
  }

  @Test func `nothing under Sources traps, but for what is proven never to`() throws {
    let files = try Repository.sources.get()
    for file in files {
      report(TrapCheck.violations(in: file, exceptions: TrapException.rows))
    }
    for exception in TrapCheck.unused(TrapException.rows, in: files) {
      Issue.record("TrapException.rows has a row for nothing: \(exception.path): \(exception.line)")
    }
  }

  @Test func `no lock under Sources holds a function`() throws {
    for file in try Repository.sources.get() { report(LockCheck.violations(in: file)) }
  }

  @Test(arguments: ["Sources", "Tests"])
  func `no file is longer than 500 lines`(folder: String) throws {
    for path in Repository.swiftFiles(under: folder) {
      report(LengthCheck.violations(in: try Repository.text(of: path), path: path))
    }
  }

  /// Records each violation as an issue of its own, so that one run names them all.
  private func report(_ violations: [Violation]) {
    for violation in violations { Issue.record("\(violation.description)") }
  }
}
