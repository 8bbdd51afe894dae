import Contrail

@Model final class Quake {
  var magnitude: Double
  init(magnitude: Double) { self.magnitude = magnitude }
}

// What may cross, and so must compile: identifiers, counts and values out of a block, containers and
// background contexts into any isolation.
func strongest(_ background: BackgroundContext) async throws -> PersistentIdentifier? {
  try await background.perform { context in
    let order = [SortDescriptor(\Quake.magnitude, order: .reverse)]
    return try context.fetch(FetchDescriptor<Quake>(sortBy: order)).first?.persistentModelID
  }
}

func rows(_ container: ModelContainer) async throws -> [[String: any Sendable]] {
  try await container.performBackgroundTask { context in
    try context.fetchDictionaries(FetchDescriptor<Quake>(), properties: [\.magnitude])
  }
}

@ModelActor actor Importer {
  func count() throws -> Int { try modelContext.fetchCount(FetchDescriptor<Quake>()) }
}

func counted(_ container: ModelContainer) async throws -> Int {
  try await Task.detached { try await Importer(modelContainer: container).count() }.value
}

@MainActor
func shown(_ container: ModelContainer) throws -> [Double] {
  try container.mainContext.fetch(FetchDescriptor<Quake>()).map(\.magnitude)
}
