import Contrail

/// One of a pilot's devices: a store in a file of its own, and an engine that mirrors it.
@MainActor struct Device {
  let name: String
  let container: ModelContainer
  let engine: SyncEngine

  init(_ name: String, in folder: URL, _ target: SyncTarget) throws {
    self.name = name
    container = try ModelContainer(
      for: flightLogSchema,
      configurations: ModelConfiguration(
        url: folder.appending(path: "\(name).sqlite"), sync: target))
    engine = try container.syncEngine()
  }

  /// Changes models, and saves.
  func edit(_ body: (ModelContext) throws -> Void) throws {
    try body(container.mainContext)
    try container.mainContext.save()
  }

  /// Exchanges everything, and says what that came to.
  func sync() async throws {
    let summary = try await engine.sync()
    say("syncs", "\(summary)")
    if summary.outcome != .complete { say("is not done", "\(summary.outcome)") }
  }

  /// Says what is on the device.
  func show() throws {
    let byTime = FetchDescriptor<LogEntry>(sortBy: [SortDescriptor(\.flightTime)])
    let entries = try container.mainContext.fetch(byTime).map { entry in
      "\(entry.tailNumber) \(entry.flightTime) h by \(entry.pilot?.name ?? "nobody")"
        + (entry.remarks.map { " (\($0))" } ?? "")
    }
    say("has", entries.isEmpty ? "nothing" : entries.joined(separator: ", "))
  }

  private func say(_ verb: String, _ text: String) { print("  \(name) \(verb): \(text)") }
}

extension ModelContext {
  /// The flight of that aircraft.
  func entry(_ tailNumber: String) throws -> LogEntry? {
    try fetch(
      FetchDescriptor<LogEntry>(predicate: #Predicate { $0.tailNumber == tailNumber })
    ).first
  }
}
