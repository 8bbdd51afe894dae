import ChildPrograms
import Contrail
import Testing

/// What a class says of how it is mirrored, beside its properties.
@Suite(.timeLimit(.minutes(5))) struct TallyTests {
  let daemon: RecordDaemon

  init() throws { daemon = try RecordDaemon() }

  private func device(_ name: String, versionMax: Int64? = nil) throws -> LogDevice {
    try LogDevice(name, daemon, schema: Schema([Tally.self]), versionMax: versionMax)
  }

  private func settle(_ devices: LogDevice...) async throws {
    for device in devices + devices { try await device.sync() }
  }

  @Test func `a property is merged by the rule that its attribute names`() async throws {
    let (phone, tablet) = (try device("phone"), try device("tablet"))
    try phone.edit { context in
      let tally = Tally(name: "landings")
      (tally.count, tally.record) = (10, 4)
      context.insert(tally)
    }
    try await settle(phone, tablet)
    for (device, count, record) in [(phone, 3, 9), (tablet, 5, 7)] {
      try device.edit { context in
        let tally = try #require(context.fetch(FetchDescriptor<Tally>()).first)
        tally.count += count
        tally.record = record
      }
    }
    try await settle(phone, tablet)
    for device in [phone, tablet] {
      #expect(try device.tallies().map(\.count) == [18])
      #expect(try device.tallies().map(\.record) == [9])
    }
  }

  @Test func `models of a later version appear in a program that knows it`() async throws {
    let (new, old) = (try device("new", versionMax: 2), try device("old", versionMax: 1))
    try new.edit { context in
      let later = Tally(name: "later")
      later.version = 2
      context.insert(later)
      context.insert(Tally(name: "plain"))
    }
    try await settle(new, old)
    #expect(try new.tallies().map(\.name) == ["later", "plain"])
    #expect(try old.tallies().map(\.name) == ["plain"])

    // The tool keeps to what the program has said.
    await old.engine.stop()
    let run = try ChildProgram.run([
      ChildProgram.beside("syncctl"), "sync", daemon.folder.path("old.store"),
      "--credentials", try daemon.credentialsFile(), "--ca-file", daemon.folder.path("server.pem"),
    ])
    #expect(run.end == .code(0), "\(run.text)")
    #expect(try old.tallies().map(\.name) == ["plain"])

    await new.engine.stop()
    let upgraded = try old.container.syncEngine { $0.versionMax = 2 }
    #expect(try await upgraded.sync().outcome == .complete)
    #expect(try old.tallies().map(\.name) == ["later", "plain"])
  }

  @Test func `rules and version fields are in the schema's file`() throws {
    let schema = Schema([Tally.self])
    let folder = TemporaryFolder()
    try schema.save(to: folder.url.appending(path: "Schema.json"))
    #expect(try Schema.load(from: folder.url.appending(path: "Schema.json")) == schema)
    let text = try schema.text()
    #expect(text.contains(#""contrail.merge": "counter""#))
    #expect(text.contains(#""versionField": "version""#))
  }
}

extension LogDevice {
  fileprivate func tallies() throws -> [Tally] {
    try ModelContext(container).fetch(FetchDescriptor(sortBy: [SortDescriptor(\Tally.name)]))
  }
}
