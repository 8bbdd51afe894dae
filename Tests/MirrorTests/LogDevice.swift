import Contrail
import Testing

/// A device: a store with typed models, which is mirrored.
struct LogDevice {
  let container: ModelContainer
  let engine: SyncEngine

  init(
    _ name: String, _ daemon: RecordDaemon, schema: Schema = LogModels.schema, zone: String? = nil,
    versionMax: Int64? = nil
  ) throws {
    container = try ModelContainer(
      for: schema,
      configurations: ModelConfiguration(
        name, url: daemon.folder.url.appending(path: "\(name).store"),
        sync: daemon.target(zone: zone)))
    engine = try container.syncEngine { $0.versionMax = versionMax }
  }

  /// Changes models in a context of its own, and saves.
  func edit(_ body: (ModelContext) throws -> Void) throws {
    let context = ModelContext(container)
    try body(context)
    try context.save()
  }

  /// A pass that has to be complete.
  @discardableResult
  func sync(_ location: SourceLocation = #_sourceLocation) async throws -> SyncSummary {
    let summary = try await engine.sync()
    #expect(summary.outcome == .complete, sourceLocation: location)
    return summary
  }

  /// All that is here.
  func state() throws -> [String] { try LogModels.state(ModelContext(container)) }
}

extension ModelContext {
  /// The one pilot of that name.
  func pilot(_ name: String) throws -> Pilot {
    let found = try fetch(FetchDescriptor<Pilot>(predicate: #Predicate { $0.name == name }))
    return try #require(found.first)
  }
}
