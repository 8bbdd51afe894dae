import ObjectStore

// An object is good within the block only.
func newest(_ background: BackgroundContext) async throws {
  // error: conformance of 'ManagedObject' to 'Sendable' is unavailable
  _ = try await background.perform { context in
    try context.insert("LogEntry")
  }
}

func all(_ store: Store) async throws {
  // error: conformance of 'ManagedObject' to 'Sendable' is unavailable
  _ = try await store.perform { context in context.insertedObjects }
}

func waiting(_ background: BackgroundContext) {
  // error: conformance of 'ManagedObject' to 'Sendable' is unavailable
  _ = background.performAndWait { context in context.insertedObjects }
}
