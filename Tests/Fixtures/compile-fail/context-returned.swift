import ObjectStore

// Neither is the context.
func leak(_ container: StoreContainer) async throws {
  // error: conformance of 'ModelContext' to 'Sendable' is unavailable
  _ = try await container.performBackgroundTask { context in context }
}
