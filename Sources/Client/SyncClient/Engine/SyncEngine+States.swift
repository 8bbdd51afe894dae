import ObjectStore

extension SyncEngine {
  /// How the store stands to the server: now, and each time that this has changed.
  ///
  /// ```swift
  /// for await state in engine.states { render(state.pending, state.parked, state.failed) }
  /// ```
  ///
  /// Who is slow gets the newest state, and not those before it. It ends when the engine is stopped.
  public nonisolated var states: AsyncStream<SyncStatus> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let work = Task {
        await self.tellStates { continuation.yield($0) }
        continuation.finish()
      }
      continuation.onTermination = { _ in work.cancel() }
    }
  }

  private func tellStates(_ body: @Sendable (SyncStatus) -> Void) async {
    var last: SyncStatus?
    func tellNew() {
      // A store that cannot be read at this moment says so to whoever uses it.
      guard let now = try? status(), now != last else { return }
      last = now
      body(now)
    }
    let stirs = stirs()
    let saves = stir(onCommitsTo: session.store)
    defer { withExtendedLifetime(saves) {} }
    tellNew()
    for await _ in stirs { tellNew() }
  }

  /// Has commits that sync did not make tell that something may have changed.
  private func stir(onCommitsTo store: Store) -> CommitListener {
    store.onCommit { [weak self] changes in
      guard let self, changes.author != SyncAuthor.name else { return }
      Task { await self.stir() }
    }
  }
}
