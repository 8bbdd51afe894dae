package import DataModel
package import SchemaLint

/// What an import, a promotion or a reset would do, or why it is refused.
package struct SchemaPlan: Sendable {
  /// The environment that it changes.
  package let environment: SchemaEnvironment
  /// The version of the container's schema that it was made for.
  package let version: Int64
  /// What the environment would hold.
  package let candidate: RecordSchema
  /// What would change in the environment.
  package let changes: [SchemaChange]
  /// What production keeps although development has it no longer.
  package var kept: [SchemaChange] = []
  /// Types and fields whose values in development would be gone: removed ones, and those that come
  /// back with another type.
  package var discarded: [SchemaElement] = []
  /// Whether all records of the environment are deleted.
  package var deletesAllRecords = false
  /// What would be left to do for the indexes.
  package let indexes: IndexWork
  /// All that the lint says, notes and warnings too.
  package var findings: [Finding] = []
  /// Rules of the lint that were passed over because somebody said so.
  package var accepted: [String] = []
  /// Why nothing is done; empty for a plan that can be carried out.
  package var refusals: [SchemaRefusal] = []

  init(
    _ environment: SchemaEnvironment, of container: ContainerSchema, candidate: RecordSchema,
    isEmptied: Bool = false
  ) {
    let current = container[environment]
    self.environment = environment
    version = container.version
    self.candidate = candidate
    changes = diff(current, candidate)
    indexes = IndexWork(from: current, to: candidate, isEmptied: isEmptied)
    deletesAllRecords = isEmptied
  }

  /// Whether there is nothing to do, so that carrying it out changes nothing.
  package var isEmpty: Bool { changes.isEmpty && !deletesAllRecords && refusals.isEmpty }
}

/// A plan, and the schema after it: unchanged when the plan was refused or had nothing to do.
package struct SchemaOutcome: Sendable {
  package let plan: SchemaPlan
  package let schema: ContainerSchema

  /// Carries out a plan that was made for `container`.
  init(_ plan: SchemaPlan, of container: ContainerSchema, _ apply: (inout ContainerSchema) -> Void)
  {
    self.plan = plan
    var next = container
    if plan.refusals.isEmpty, !plan.isEmpty { apply(&next) }
    schema = next
  }

  /// Whether the schema is another one now.
  package var isChanged: Bool { plan.refusals.isEmpty && !plan.isEmpty }
}
