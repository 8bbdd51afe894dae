import Contrail
import Testing

@Model final class Beacon {
  var name: String
  var lamp: BeaconLamp?

  init(name: String) { self.name = name }
}

@Model final class BeaconLamp {
  var watts: Int = 0
  var beacon: Beacon?

  init() {}
}

@Model final class Lock {
  @Attribute(.unique) var number: Int
  var owner: Beacon?

  init(number: Int) { self.number = number }
}

/// Gives no answer.
private struct Nowhere: RecordTransport {
  func send(_ call: SyncCall) async throws(TransportFailure) -> SyncReply {
    throw TransportFailure("there is nobody")
  }
}

/// Where a container's stores are mirrored to, and what is refused before anything is asked of a server.
@Suite struct SyncTargetTests {
  private static let target = SyncTarget.recordServer(
    "https://records.example.org", container: "org.example.light",
    credentials: .tokens(api: "a", user: "b"))

  private func container(_ configurations: ModelConfiguration...) throws -> ModelContainer {
    try ModelContainer(for: Schema([Beacon.self]), configurations: configurations)
  }

  private func memory(_ target: SyncTarget?) throws -> ModelContainer {
    try container(ModelConfiguration(isStoredInMemoryOnly: true, sync: target))
  }

  /// The failure's code, and its text.
  private func failure(_ body: () throws -> Void) -> (SyncError.Code?, String) {
    do {
      try body()
      return (nil, "")
    } catch {
      return ((error as? SyncError)?.code, "\(error)")
    }
  }

  @Test func `an engine is told what the target says`() async throws {
    var target = Self.target
    (target.environment, target.zone) = (.development, "Light")
    let engine = try memory(target).syncEngine(transport: Nowhere()) { $0.machine.attemptsMax = 1 }
    let status = try await engine.status()
    #expect(
      [status.server, status.container, status.environment, status.zone]
        == ["https://records.example.org", "org.example.light", "development", "Light"])
    #expect(try await engine.sync().outcome == .unreachable("there is nobody"))
  }

  @Test func `a container has one engine for a store, as long as somebody holds it`() async throws {
    let container = try memory(Self.target)
    let engine = try container.syncEngine(transport: Nowhere())
    #expect(try container.syncEngine() === engine)
    #expect(failure { _ = try container.syncEngine(transport: Nowhere()) }.0 == .busy)
    await engine.stop()
    #expect(engine.isStopped)
    let next = try container.syncEngine(transport: Nowhere()) { _ in
      // The program's own code may itself call what asks for engines.
      try? container.erase()
    }
    #expect(next !== engine)
  }

  @Test func `an engine that was stopped lets go of the file`() async throws {
    let folder = try TemporaryFolder()
    func open() throws -> ModelContainer {
      try container(ModelConfiguration(url: folder.file("light.store"), sync: Self.target))
    }
    let (first, second) = (try open(), try open())
    let engine = try first.syncEngine(transport: Nowhere())
    #expect(failure { _ = try second.syncEngine(transport: Nowhere()) }.0 == .busy)
    await engine.stop()
    let next = try second.syncEngine(transport: Nowhere())
    #expect(try await next.status().records == 0)
  }

  @Test func `a configuration without a target says what to write`() throws {
    let container = try container(
      ModelConfiguration(isStoredInMemoryOnly: true, cloudKitDatabase: .private("iCloud.light")))
    let (code, text) = failure { _ = try container.syncEngine() }
    #expect(code == .noTarget)
    #expect(
      text == "default: does not say where its records are; name the server in the configuration: "
        + #"sync: .recordServer("https://host", container: "iCloud.light")"#)
    #expect(failure { _ = try container.syncEngine(for: "log") }.0 == .noTarget)
    #expect(try container.syncEngines().isEmpty)
  }

  @Test func `of several targets one has to be named, and each has a zone of its own`() throws {
    func both(_ zone: String?) throws -> ModelContainer {
      var other = Self.target
      other.zone = zone
      return try ModelContainer(
        for: Schema([Beacon.self, Airfield.self]),
        configurations: ModelConfiguration(
          "light", schema: Schema([Beacon.self]), isStoredInMemoryOnly: true, sync: Self.target),
        ModelConfiguration(
          "rest", schema: Schema([Airfield.self]), isStoredInMemoryOnly: true, sync: other))
    }
    #expect(failure { _ = try both(nil) }.0 == .sharedZone)
    let container = try both("Rest")
    #expect(failure { _ = try container.syncEngine() }.0 == .severalTargets)
    #expect(try container.syncEngines().keys.sorted() == ["light", "rest"])
  }

  @Test func `addresses are checked when the container is made`() {
    for (server, part) in [
      ("records.example.org", "is no URL"), ("http://records.example.org", "is plain HTTP"),
      ("https://me@records.example.org", "has a user"),
    ] {
      var target = Self.target
      target.server = server
      let (code, text) = failure { _ = try memory(target) }
      #expect(code == .badAddress)
      #expect(text.contains(part))
      target.allowsPlainHTTP = true
      #expect(failure { _ = try memory(target) }.0 == (part == "is plain HTTP" ? nil : .badAddress))
    }
  }

  @Test func `models that cannot be mirrored are refused with everything that is wrong`() throws {
    func make(_ sync: SyncTarget?) throws {
      _ = try ModelContainer(
        for: Schema([Lock.self]),
        configurations: ModelConfiguration(isStoredInMemoryOnly: true, sync: sync))
    }
    try make(nil)
    let refused = try #require(throws: UnsyncableSchema.self) { try make(Self.target) }
    #expect(
      "\(refused)".split(separator: "\n").contains {
        $0.contains("unique-constraint")
          && $0.contains(#"naturalKey: [AnyKeyPath] { [\Lock.number] }"#)
      })
  }

  @Test func `for a container in Core Data's layout CloudKit's own rules count`() throws {
    var target = Self.target
    target.profile = .coreData
    let refused = try #require(throws: UnsyncableSchema.self) { try memory(target) }
    #expect(refused.profile == .coreData)
    #expect(
      refused.problems.map { "\($0.subject)" } == ["Beacon.name"], "a string without a default")
  }

  @Test func `a store that may not be changed is not mirrored`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("light.store")
    _ = try container(ModelConfiguration(url: url))
    let container = try container(
      ModelConfiguration(url: url, allowsSave: false, sync: Self.target))
    #expect(failure { _ = try container.syncEngine(transport: Nowhere()) }.0 == .readOnly)
  }

  @Test func `tokens are asked for when an engine is made, and never shown`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("tokens")
    var target = Self.target
    target.credentials = .file(file.path)
    let container = try memory(target)
    #expect(failure { _ = try container.syncEngine() }.0 == .unreadableFile)
    try "CONTRAIL_API_TOKEN=secret".write(to: file, atomically: true, encoding: .utf8)
    #expect(failure { _ = try container.syncEngine() }.0 == .badCredentials)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    #expect(failure { _ = try container.syncEngine() }.0 == .noCredentials)
    let given = SyncCredentials.tokens(api: "secret", user: "secret")
    #expect(failure { _ = try container.syncEngine(credentials: given) }.0 == nil)
    var shown = "\(given) \(String(reflecting: given))"
    dump(ModelConfiguration(isStoredInMemoryOnly: true, sync: target), to: &shown)
    target.credentials = given
    dump(target, to: &shown)
    #expect(!shown.contains("secret"))
  }

  @Test func `every initializer of a configuration takes a target, and none needs one`() {
    let target = Self.target
    let url = URL(fileURLWithPath: "/tmp/light.store")
    let mirrored = [
      ModelConfiguration(sync: target),
      ModelConfiguration(isStoredInMemoryOnly: true, sync: target),
      ModelConfiguration(for: Beacon.self, Trip.self, isStoredInMemoryOnly: true, sync: target),
      ModelConfiguration("light", allowsSave: false, cloudKitDatabase: .none, sync: target),
      ModelConfiguration("light", schema: Schema([Beacon.self]), url: url, sync: target),
      ModelConfiguration(url: url, cloudKitDatabase: .private("iCloud.light"), sync: target),
    ]
    #expect(mirrored.map(\.sync) == Array(repeating: target, count: 6))
    let local = [
      ModelConfiguration(), ModelConfiguration("light"), ModelConfiguration(url: url),
      ModelConfiguration(isStoredInMemoryOnly: true), ModelConfiguration(for: Beacon.self),
      ModelConfiguration("light", cloudKitDatabase: .automatic),
      ModelConfiguration(url: url, cloudKitDatabase: .private("iCloud.light")),
      ModelConfiguration("light", sync: nil),
    ]
    #expect(local.allSatisfy { $0.sync == nil })
  }

  @Test func `a natural key may be given to models that a store has already`() throws {
    let folder = try TemporaryFolder()
    let configuration = ModelConfiguration(url: folder.file("light.store"))
    do {
      let before = try ModelContainer(
        for: Schema([Before.Quay.self]), configurations: configuration)
      let context = ModelContext(before)
      context.insert(Before.Quay(code: "Q1"))
      try context.save()
    }
    let after = try ModelContainer(for: Schema([After.Quay.self]), configurations: configuration)
    let context = ModelContext(after)
    #expect(try context.fetch(FetchDescriptor<After.Quay>()).map(\.code) == ["Q1"])
  }

  @Test func `a natural key is in the schema, and is about properties that are kept`() throws {
    let schema = Schema([Airfield.self])
    let text = try schema.text().filter { !$0.isWhitespace }
    #expect(text.contains(#""naturalKey":["code"]"#))
    let wrong = Schema([Hangar.self])
    #expect(throws: StoreError.self) { try wrong.text() }
  }
}

@Model final class Airfield {
  var code: String?
  init() {}
  static var naturalKey: [AnyKeyPath] { [\Airfield.code] }
}

@Model final class Hangar {
  var name: String?
  init() {}
  var shout: String { name?.uppercased() ?? "" }
  static var naturalKey: [AnyKeyPath] { [\Hangar.shout] }
}

enum Before {
  @Model final class Quay {
    var code: String?
    init(code: String) { self.code = code }
  }
}

enum After {
  @Model final class Quay {
    var code: String?
    init(code: String) { self.code = code }
    static var naturalKey: [AnyKeyPath] { [\After.Quay.code] }
  }
}
