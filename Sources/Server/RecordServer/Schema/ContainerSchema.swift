public import DataModel

/// The schema of one container in both environments, with all that was ever promoted.
///
/// A value: each operation gives the next one. What holds at every moment is written in `flaws`:
/// development has all that production has, with the same types; nothing that was promoted is ever
/// removed, renamed or retyped, nor is its name used for something else.
public struct ContainerSchema: Hashable, Sendable {
  /// Raised by each change; writing transactions compare it with what they decided by.
  public internal(set) var version: Int64
  /// What saves in development meet, and extend.
  public internal(set) var development: RecordSchema
  /// What saves in production meet.
  public internal(set) var production: RecordSchema
  /// What was ever promoted.
  package internal(set) var promoted: PromotionLedger
  /// Who managed the schema, oldest first.
  package internal(set) var audit: [AuditEntry]

  /// The schema of a new container: system fields, and the type Users.
  public init() {
    version = 1
    development = .empty
    production = .empty
    promoted = PromotionLedger(.empty)
    audit = []
  }

  /// The record schema of an environment.
  public subscript(environment: SchemaEnvironment) -> RecordSchema {
    environment == .development ? development : production
  }

  /// An environment's schema as requests look things up in it: to be kept for as long as the version
  /// is the same.
  public func resolved(_ environment: SchemaEnvironment) -> ResolvedSchema {
    ResolvedSchema(self[environment], environment: environment, version: version)
  }

  /// What leads from one environment to the other, in a fixed order.
  public func differences(
    from old: SchemaEnvironment, to new: SchemaEnvironment
  ) -> [SchemaChange] {
    diff(self[old], self[new])
  }
}

extension ContainerSchema {
  /// The next version with an entry in the audit list.
  mutating func record(
    _ act: AuditEntry.Act, _ mark: AuditMark, _ changes: [SchemaChange], accepted: [String] = []
  ) {
    version += 1
    var mark = mark
    mark.name = mark.name.prefix(utf8: SchemaLimits.auditNameBytesMax)
    audit.append(
      AuditEntry(
        number: (audit.last?.number ?? 0) + 1, act: act, mark: mark, version: version,
        changes: AuditEntry.lines(for: changes), accepted: accepted))
    audit.removeFirst(max(0, audit.count - SchemaLimits.auditEntriesMax))
  }
}
