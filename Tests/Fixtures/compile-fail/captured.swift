import ObjectStore

// What is touched here cannot be touched in a block.
func rename(_ object: ManagedObject, _ background: BackgroundContext) async throws {
  try await background.perform { _ in
    // error: capture of 'object' with non-Sendable type 'ManagedObject'
    try object.setValue("remarks", .string("smooth"))
  }
}
