import ObjectStore

// What may cross, and so must compile: identities, snapshots and values out of a block, the handles into
// any isolation.
func count(_ store: Store, _ background: BackgroundContext, _ container: StoreContainer)
  async throws
  -> Int
{
  let snapshot = try await background.perform { context in
    let entry = try context.insert("LogEntry")
    try context.save()
    return entry.snapshot()
  }
  let identity = try await container.performBackgroundTask { context in
    try context.insert("LogEntry").identity
  }
  Task.detached {
    background.performLater { context in context.rollback() }
    try await store.perform { context in try context.save() }
  }
  return snapshot.values.count + (identity == nil ? 0 : 1)
}

@MainActor
func shown(_ container: StoreContainer) -> Bool { container.mainContext.hasChanges }
