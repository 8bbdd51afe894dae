import DataModel

extension ContainerSchema {
  /// What a reset of development would do.
  package func planReset() -> SchemaPlan {
    var plan = SchemaPlan(.development, of: self, candidate: production, isEmptied: true)
    plan.discarded = plan.changes.compactMap { change in
      switch (change.kind, change.element) {
      case (.removed, .recordType), (.removed, .field): change.element
      default: nil
      }
    }
    return plan
  }

  /// Makes development what production is, and deletes every record in development.
  ///
  /// Since records are deleted, each reset is a change: it raises the version, so that no write that
  /// began before can end after it, and has an entry in the audit list.
  package func resetting(by mark: AuditMark) -> SchemaOutcome {
    let plan = planReset()
    return SchemaOutcome(plan, of: self) { next in
      next.development = plan.candidate
      next.record(.reset, mark, plan.changes)
    }
  }
}
