import Contrail

@Model final class Quake {
  var magnitude: Double
  init(magnitude: Double) { self.magnitude = magnitude }
}

// A model is good within the block only.
func newest(_ background: BackgroundContext) async throws {
  // error: conformance of 'Quake' to 'Sendable' is unavailable
  _ = try await background.perform { context in
    try context.fetch(FetchDescriptor<Quake>())[0]
  }
}

func all(_ container: ModelContainer) async throws {
  // error: conformance of 'Quake' to 'Sendable' is unavailable
  _ = try await container.performBackgroundTask { context in
    try context.fetch(FetchDescriptor<Quake>())
  }
}

func waiting(_ background: BackgroundContext) throws {
  // error: conformance of 'Quake' to 'Sendable' is unavailable
  _ = try background.performAndWait { context in
    try context.fetch(FetchDescriptor<Quake>())
  }
}
