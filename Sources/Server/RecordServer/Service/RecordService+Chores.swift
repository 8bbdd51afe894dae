extension RecordService {
  /// Says that `fillIndexes` or `dropRemains` may have something to do, as after a start.
  public func choresMayWait() { choresWait() }

  /// Fills the indexes that the schema has gained and empties those that it has lost, in steps between
  /// which writers have their turn; returns when nothing is left to do.
  ///
  /// Until then queries that need such an index are told to try again later.
  public func fillIndexes() async throws {
    while !Task.isCancelled {
      let isDone = try await storage.write { [schemas] transaction in
        let schema = try schemas.current(in: transaction)
        return try IndexFilling(schema.resolved, in: transaction).step()
      }
      if isDone { return }
    }
  }

  /// Removes what is left of deleted zones, in steps between which writers have their turn; returns when
  /// nothing is left.
  public func dropRemains() async throws {
    while !Task.isCancelled {
      let isDone = try await storage.write {
        try $0.dropRemains(limit: ServiceLimits.choreRecordsMax)
      }
      if isDone { return }
    }
  }
}
