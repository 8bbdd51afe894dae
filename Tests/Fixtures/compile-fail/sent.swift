import ObjectStore

// A context and its objects stay where they were made.
func save(_ context: ModelContext) {
  // error: risks causing data races
  Task.detached {
    try context.save()
  }
  context.rollback()
}

@MainActor
func toActor(_ container: StoreContainer, _ importer: Importer) async {
  let context = container.mainContext
  // error: sending 'context' risks causing data races
  await importer.take(context)
}

actor Importer {
  func take(_ context: ModelContext) { context.rollback() }
}

@MainActor
func made(_ store: Store, _ importer: Importer) async throws {
  let object = try ModelContext(store).insert("LogEntry")
  // error: sending 'object' risks causing data races
  await importer.rename(object)
}

extension Importer {
  func rename(_ object: ManagedObject) {}
}
