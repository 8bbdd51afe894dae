import Contrail

// The main context is the main actor's.
func save(_ container: ModelContainer) throws {
  // error: can not be referenced from a nonisolated context
  try container.mainContext.save()
}

actor Importer {
  let container: ModelContainer

  init(_ container: ModelContainer) { self.container = container }

  func count() throws -> Bool {
    // error: main actor-isolated property 'mainContext' can not be referenced on a nonisolated actor instance
    container.mainContext.hasChanges
  }
}
