import ChildPrograms
import Contrail
import Testing

/// What a class says of how it is mirrored, beside its properties.
@Suite(.timeLimit(.minutes(5))) struct TallyTests {
  let daemon: RecordDaemon

  init() throws { daemon = try RecordDaemon() }

  private struct Device {
    let container: ModelContainer
    let engine: SyncEngine

    init(_ daemon: RecordDaemon, _ file: String, versionMax: Int64? = nil) throws {
      container = try ModelContainer(
        for: Tally.self,
        configurations: ModelConfiguration(
          url: daemon.folder.url.appending(path: file), sync: daemon.target()))
      engine = try container.syncEngine { $0.versionMax = versionMax }
    }

    func edit(_ body: (ModelContext) throws -> Void) throws {
      let context = ModelContext(container)
      try body(context)
      try context.save()
    }

    func tallies() throws -> [Tally] {
      try ModelContext(container).fetch(FetchDescriptor(sortBy: [SortDescriptor(\Tally.name)]))
    }
  }

  private func settle(_ devices: Device...) async throws {
    for device in devices + devices {
      #expect(try await device.engine.sync().outcome == .complete)
    }
  }

  @Test func `a property is merged by the rule that its attribute names`() async throws {
    let (phone, tablet) = (try Device(daemon, "phone"), try Device(daemon, "tablet"))
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
    let (new, old) = (
      try Device(daemon, "new", versionMax: 2), try Device(daemon, "old", versionMax: 1)
    )
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
      ChildProgram.beside("syncctl"), "sync", daemon.folder.path("old"),
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
