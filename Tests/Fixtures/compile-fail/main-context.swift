import ObjectStore

// The main context is the main actor's.
func save(_ container: StoreContainer) throws {
  // error: can not be referenced from a nonisolated context
  try container.mainContext.save()
}

actor Importer {
  let container: StoreContainer

  init(_ container: StoreContainer) { self.container = container }

  func save() async throws {
    // error: cannot exit main actor-isolated context
    let context = await container.mainContext
    try context.save()
  }
}
