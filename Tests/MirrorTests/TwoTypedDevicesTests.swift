import ChildPrograms
import Contrail
import Testing

/// Two stores with typed models, mirrored over sockets by a `recordd` of their own.
///
/// What nobody answered would be waited for, for ever: so these have a limit.
@Suite(.timeLimit(.minutes(5))) struct TwoTypedDevicesTests {
  let daemon: RecordDaemon
  let phone: LogDevice
  let tablet: LogDevice

  init() throws {
    daemon = try RecordDaemon()
    phone = try LogDevice("phone", daemon)
    tablet = try LogDevice("tablet", daemon)
  }

  /// Fills the phone with something of everything, and has it on both.
  private func begin() async throws {
    try phone.edit { context in
      let ann = Instructor(name: "Ann", rating: Decimal(string: "4.75") ?? 0)
      (ann.rank, ann.hours) = (.captain, 1200.5)
      ann.home = Place(town: "Bern", street: nil)
      ann.languages = ["de", "fr"]
      ann.photo = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      context.insert(ann)
      let ben = Pilot(name: "Ben")
      context.insert(ben)
      ann.license = License(number: 7)
      for (day, remarks) in ["first", "second", "third"].enumerated() {
        let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 0.125)
        ben.entries.append(LogEntry(day: date, remarks: remarks))
      }
      let aircraft = ["N1", "N2", "N3"].map(Aircraft.init(tail:))
      ann.aircraft = [aircraft[2], aircraft[0]]
      ben.aircraft = [aircraft[0], aircraft[1]]
      let club = Club(name: "Soar")
      (ann.clubs, ben.clubs) = ([club], [club, Club(name: "Glide")])
    }
    try await settle()
  }

  /// Lets both exchange everything, and proves that they and the server have the same.
  private func settle() async throws {
    for device in [phone, tablet, phone, tablet] { try await device.sync() }
    #expect(try phone.state() == tablet.state())
    for device in [phone, tablet] {
      let proof = try await device.engine.verify()
      #expect(proof.isEqual, "\(proof)")
    }
  }

  @Test func `whatever a model can have is on the other device`() async throws {
    try await begin()
    let state = try tablet.state().joined(separator: "\n")
    #expect(
      state == """
        Instructor Ann captain 1200.5 of Bern, - rating 4.75 photo of 200000, 25499808 \
        speaks ["de", "fr"] license 7 entries [] aircraft ["N3", "N1"] clubs ["Soar"]
        Pilot Ben student -1.0 speaks [] license 0 entries ["first", "second", "third"] \
        aircraft ["N1", "N2"] clubs ["Glide", "Soar"]
        aircraft N1 ["Ann", "Ben"]
        aircraft N2 ["Ben"]
        aircraft N3 ["Ann"]
        club Glide ["Ben"]
        club Soar ["Ann", "Ben"]
        entry 0.125 first by Ben
        entry 172800.125 third by Ben
        entry 86400.125 second by Ben
        license 7 5A1D8F4E-0B0E-4E0C-9E8D-0F4B8B1D2A33 of Ann
        """)
    #expect(try await phone.engine.status().isIdle)
  }

  @Test func `edits of both devices while they are offline are merged property by property`()
    async throws
  {
    try await begin()
    try phone.edit { context in
      let ann = try context.pilot("Ann")
      (ann.name, ann.home) = ("Anna", Place(town: "Basel", street: "Rheinweg"))
      (ann.license, ann.photo) = (nil, Data([1, 2, 3]))
      let ben = try context.pilot("Ben")
      ben.entries.reverse()
      ben.license = License(number: 8)
    }
    try tablet.edit { context in
      let ann = try context.pilot("Ann")
      (ann.rank, ann.hours) = (.student, nil)
      (ann as? Instructor)?.rating = 5
      ann.languages.append("it")
      let ben = try context.pilot("Ben")
      ben.entries[0].remarks = "renamed"
      ben.aircraft.append(Aircraft(tail: "N4"))
      ben.clubs = [Club(name: "Wave")]
    }
    #expect(try phone.state() != tablet.state())
    try await settle()
    let merged = try phone.state()
    #expect(
      merged.first
        == #"Instructor Anna student -1.0 of Basel, Rheinweg rating 5 photo of 3, 6 "#
        + #"speaks ["de", "fr", "it"] license 0 entries [] aircraft ["N3", "N1"] clubs ["Soar"]"#)
    #expect(
      merged.contains(
        #"Pilot Ben student -1.0 speaks [] license 8 entries ["third", "second", "renamed"] "#
          + #"aircraft ["N1", "N2", "N4"] clubs ["Wave"]"#))
  }

  @Test func `a deletion takes along on the other device what it took along here`() async throws {
    try await begin()
    try phone.edit { context in context.delete(try context.pilot("Ben")) }
    try await settle()
    #expect(
      try tablet.state().filter { !$0.hasPrefix("Instructor") } == [
        #"aircraft N1 ["Ann"]"#, "aircraft N2 []", #"aircraft N3 ["Ann"]"#, "club Glide []",
        #"club Soar ["Ann"]"#, "license 7 5A1D8F4E-0B0E-4E0C-9E8D-0F4B8B1D2A33 of Ann",
      ])
  }

  @Test func `an edit of what was deleted elsewhere is kept as failed, and can be given up`()
    async throws
  {
    try await begin()
    try phone.edit { context in context.delete(try context.pilot("Ben")) }
    try tablet.edit { context in try context.pilot("Ben").hours = 3 }
    try await phone.sync()
    let summary = try await tablet.sync()
    #expect(summary.failed == 1)
    let failed = try await tablet.engine.failedChanges()
    #expect(failed.map(\.recordType) == ["Pilot"])
    // It was deleted here too: only what was edited is kept.
    #expect(failed.map(\.persistentModelID) == [nil])
    #expect(try await tablet.engine.discardFailedChanges() == 1)
    try await settle()
    #expect(try await tablet.engine.status().isIdle)
  }

  @Test func `models of one natural key that two devices made become one`() async throws {
    try phone.edit { $0.insert(Airport(code: "KSFO", town: "San Francisco")) }
    try tablet.edit { $0.insert(Airport(code: "KSFO")) }
    try await settle()
    #expect(try phone.state() == ["airport KSFO San Francisco"])
  }

  @Test func `what arrives is at once in models that mainContext holds, and in its observers`()
    async throws
  {
    try await begin()
    try await Self.follow(phone, tablet)
  }

  @MainActor private static func follow(_ phone: LogDevice, _ tablet: LogDevice) async throws {
    let main = tablet.container.mainContext
    let ann = try main.pilot("Ann")
    let ben = try main.pilot("Ben")
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\LogEntry.day)], modelContext: main)
    #expect(observer.results.map(\.remarks) == ["first", "second", "third"])
    let hasChanged = Flag()
    withObservationTracking {
      _ = ann.name
    } onChange: {
      hasChanged.set()
    }
    try phone.edit { context in
      try context.pilot("Ann").name = "Anna"
      let ben = try context.pilot("Ben")
      ben.entries.append(LogEntry(day: Date(timeIntervalSince1970: 43_200), remarks: "noon"))
      context.delete(ben.entries[0])
    }
    try await phone.sync()
    try await tablet.sync()

    #expect(hasChanged.isSet)
    #expect(ann.name == "Anna")
    #expect(ben.entries.map(\.remarks) == ["second", "third", "noon"])
    #expect(observer.results.map(\.remarks) == ["noon", "second", "third"])
    #expect(!main.hasChanges)
    // What the engine did is told from what the program did.
    let authors = try main.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
      .map(\.author)
    #expect(authors.last == SyncAuthor.name)
  }

  @Test func `engines that were started mirror by themselves, and their states tell`() async throws
  {
    await phone.engine.start()
    await tablet.engine.start()
    let states = tablet.engine.states
    try phone.edit { $0.insert(Airport(code: "LSZB", town: "Bern")) }
    for await state in states where state.records == 1 && state.isIdle { break }
    #expect(try tablet.state() == ["airport LSZB Bern"])
    await phone.engine.stop()
    await tablet.engine.stop()
  }

  @Test func `a container that was erased reads everything again`() async throws {
    try await begin()
    let all = try phone.state()
    #expect(throws: SyncError.self) { try tablet.container.erase() }
    await tablet.engine.stop()
    try tablet.container.erase()
    #expect(try tablet.state() == [])
    let next = try tablet.container.syncEngine()
    #expect(next !== tablet.engine)
    #expect(try await next.sync().outcome == .complete)
    #expect(try tablet.state() == all)
    try await phone.sync()
    #expect(try phone.state() == all)
  }

  @Test func `stores of several configurations have zones of their own`() async throws {
    let folder = daemon.folder.url
    func container(_ name: String) throws -> ModelContainer {
      try ModelContainer(
        for: LogModels.schema,
        configurations: ModelConfiguration(
          "log", schema: Schema([Pilot.self, Instructor.self]),
          url: folder.appending(path: "\(name)-log"), sync: daemon.target(zone: "Log")),
        ModelConfiguration(
          "places", schema: Schema([Airport.self]),
          url: folder.appending(path: "\(name)-places"), sync: daemon.target(zone: "Places")))
    }
    let (here, there) = (try container("here"), try container("there"))
    let context = ModelContext(here)
    context.insert(Pilot(name: "Ann"))
    context.insert(Airport(code: "LSZB", town: "Bern"))
    try context.save()
    #expect(throws: SyncError.self) { try here.syncEngine() }
    for container in [here, there] {
      for (_, engine) in try container.syncEngines().sorted(by: { $0.key < $1.key }) {
        #expect(try await engine.sync().outcome == .complete)
      }
    }
    #expect(try LogModels.state(ModelContext(there)) == LogModels.state(ModelContext(here)))
    #expect(try await there.syncEngine(for: "places").status().zone == "Places")
  }

  @Test func `a store in memory is a new device each time`() async throws {
    try await begin()
    let memory = try ModelContainer(
      for: LogModels.schema,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true, sync: daemon.target()))
    #expect(try await memory.syncEngine().sync().outcome == .complete)
    #expect(try LogModels.state(ModelContext(memory)) == phone.state())
  }

  @Test func `the tool proves what a program has mirrored`() async throws {
    try await begin()
    await phone.engine.stop()
    let run = try ChildProgram.run([
      ChildProgram.beside("syncctl"), "verify", daemon.folder.path("phone.store"),
      "--credentials", try daemon.credentialsFile(), "--ca-file", daemon.folder.path("server.pem"),
    ])
    #expect(run.end == .code(0), "\(run.text)")
    #expect(run.text.hasPrefix("equal\n"))
  }

  @Test func `a container in Core Data's layout is mirrored, too`() async throws {
    var target = daemon.target()
    target.profile = .coreData
    let containers = try (0..<2).map { _ in
      try ModelContainer(
        for: Schema([Shelf.self]),
        configurations: ModelConfiguration(isStoredInMemoryOnly: true, sync: target))
    }
    let context = ModelContext(containers[0])
    let shelf = Shelf()
    context.insert(shelf)
    (shelf.name, shelf.notes) = ("top", [Note(), Note()])
    try context.save()
    for container in containers {
      #expect(try await container.syncEngine().sync().outcome == .complete)
    }
    let there = ModelContext(containers[1])
    let found = try there.fetch(FetchDescriptor<Shelf>())
    #expect(found.map(\.name) == ["top"])
    #expect(found.first?.notes?.count == 2)
  }

  @Test func `tokens come from a file, and a server that is not trusted gets none`() async throws {
    let schema = LogModels.schema
    func engine(_ target: SyncTarget) throws -> SyncEngine {
      try ModelContainer(
        for: schema, configurations: ModelConfiguration(isStoredInMemoryOnly: true, sync: target)
      ).syncEngine { $0.machine.attemptsMax = 1 }
    }
    let file = try daemon.credentialsFile()
    #expect(
      try await engine(daemon.target(credentials: .file(file))).sync().outcome == .complete)
    let wrong = daemon.target(credentials: .tokens(api: "none", user: "none"))
    guard case .signIn = try await engine(wrong).sync().outcome else {
      Issue.record("wrong tokens were taken")
      return
    }
    var stranger = daemon.target()
    stranger.certificates = nil
    guard case .unreachable = try await engine(stranger).sync().outcome else {
      Issue.record("a certificate that nobody signed was trusted")
      return
    }
  }
}

/// Whether something happened.
private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  func set() { lock.withLock { value = true } }
  var isSet: Bool { lock.withLock { value } }
}
