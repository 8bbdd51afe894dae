import DataModel
import RecordWire

/// Runs one call of `records/modify` within a transaction.
///
/// First each operation is held against the record that is there, then against references, then its
/// fields against the schema. Where one fails, those that relied on it are asked again; when nothing new
/// fails, everything that is left is written as one commit.
public struct ModifyRun {
  private let call: ModifyCall
  private let transaction: any StorageTransaction

  /// Prepares a call.
  public init(_ call: ModifyCall, in transaction: any StorageTransaction) {
    self.call = call
    self.transaction = transaction
  }

  /// Does what can be done; throws for what concerns the whole call.
  public func run() throws -> ModifyOutcome {
    guard let zone = try transaction.zone(call.zone), !zone.isDeleted else {
      throw RequestFailure.zoneNotFound(call.zone.name)
    }
    let drafting = ModifyDrafting(call: call)
    let names = drafting.names()
    var failures: [Int: RequestFailure] = [:]
    let drafts = try draft(drafting, names, &failures)
    let plan = try settle(drafts, &failures)
    if call.isAtomic && !failures.isEmpty {
      for index in call.request.operations.indices where failures[index] == nil {
        failures[index] = .atomicFailure
      }
      return ModifyOutcome(entries: entries(names, failures, [:], drafts), cascaded: [])
    }
    return try write(plan, names, failures, drafts)
  }

  private func draft(
    _ drafting: ModifyDrafting, _ names: [String?], _ failures: inout [Int: RequestFailure]
  ) throws -> [ModifyDraft] {
    let stored = try transaction.records(names.map { $0 ?? "" }, in: call.zone)
    var seen: Set<ExactName> = []
    var drafts: [ModifyDraft] = []
    for (index, name) in names.enumerated() {
      if let name, !seen.insert(ExactName(name)).inserted {
        failures[index] = .badRequest("there are two operations for the record '\(name)'")
        continue
      }
      do throws(RequestFailure) {
        drafts.append(try drafting.draft(index, name, stored[index]))
      } catch {
        failures[index] = error
      }
      if let draft = drafts.last, draft.index == index, try !hasFiles(draft.receivedAssets) {
        failures[index] = .assetGone
      }
    }
    return drafts
  }

  private func hasFiles(_ addresses: [AssetAddress]) throws -> Bool {
    for address in addresses where try transaction.asset(address) == nil { return false }
    return true
  }

  /// What is written: rows by the positions of operations, deletions that follow, the schema.
  private struct Plan {
    var writes: [Int: RecordWrite] = [:]
    /// The fields of the records that are written, for their entries.
    var fields: [Int: RecordFields] = [:]
    var cascade: [String] = []
    var schema: ContainerSchema

    /// Adds the entries once all records have been held against the schema: what a later one adds to
    /// it holds for earlier ones too.
    mutating func addEntries(_ schema: ResolvedSchema, _ zone: ZoneKey) {
      for (index, fields) in fields {
        guard let row = writes[index]?.row, let type = schema.type(row.type) else { continue }
        writes[index]?.entries = type.entries(of: row, fields, zone: zone.name)
      }
    }
  }

  /// Asks references and schema until nothing new fails.
  private func settle(
    _ drafts: [ModifyDraft], _ failures: inout [Int: RequestFailure]
  ) throws -> Plan {
    let sources = ReferenceSources(call.zone, transaction, limit: call.cascadeRecordsMax)
    while true {
      let left = drafts.filter { failures[$0.index] == nil }
      var references = ModifyReferences(call, transaction, sources)
      var found = try references.failures(left)
      // Fields cost far more than references, and a long chain of these can break one by one.
      if !found.isEmpty {
        failures.merge(found) { old, _ in old }
        continue
      }
      var fields = ModifyFields(call)
      var plan = Plan(schema: call.schema)
      for draft in left {
        do throws(RequestFailure) {
          plan.writes[draft.index] = try write(of: draft, &fields, &plan.fields)
        } catch {
          found[draft.index] = error
        }
      }
      if found.isEmpty {
        let quota = ModifyQuota(call: call, transaction: transaction)
        found = try quota.sizeFailures(plan.writes)
        found.merge(try quota.sourceFailures(plan.writes)) { _, new in new }
      }
      if found.isEmpty {
        plan.cascade = references.cascade.map(\.text).sorted { $0.precedesInBytes($1) }
        plan.schema = fields.schema
        plan.addEntries(fields.resolved, call.zone)
        return plan
      }
      failures.merge(found) { old, _ in old }
    }
  }

  /// The row that an operation writes; nil for the deletion of what is not there.
  private func write(
    of draft: ModifyDraft, _ fields: inout ModifyFields, _ contents: inout [Int: RecordFields]
  ) throws(RequestFailure) -> RecordWrite? {
    if draft.isDeletion {
      return draft.existing.map { RecordWrite(tombstone(of: $0), replacing: $0) }
    }
    let made = try fields.fields(of: draft, zone: call.zone)
    contents[draft.index] = made.fields
    return RecordWrite(
      RecordRow(
        name: draft.name, type: draft.type, created: draft.existing?.created ?? call.stamp,
        modified: call.stamp, fields: made.bytes, parent: draft.parent),
      references: made.references, assets: made.assets, replacing: draft.existing)
  }

  private func tombstone(of row: RecordRow) -> RecordRow {
    RecordRow(
      name: row.name, type: row.type, created: row.created, modified: call.stamp, fields: .empty,
      isDeleted: true)
  }

  private func write(
    _ plan: Plan, _ names: [String?], _ failures: [Int: RequestFailure], _ drafts: [ModifyDraft]
  ) throws -> ModifyOutcome {
    let order = plan.writes.keys.sorted()
    let followers = try transaction.records(plan.cascade, in: call.zone)
      .compactMap { $0 }.filter { !$0.isDeleted }
      .map { RecordWrite(tombstone(of: $0), replacing: $0) }
    try beginIndexes(plan.schema)
    let rows = try transaction.write(
      order.compactMap { plan.writes[$0] } + followers, in: call.zone)
    let saved = Dictionary(zip(order, rows), uniquingKeysWith: { first, _ in first })
    var outcome = ModifyOutcome(
      entries: entries(names, failures, saved, drafts), cascaded: Array(rows.dropFirst(order.count))
    )
    if plan.schema != call.schema { outcome.schema = plan.schema }
    return outcome
  }

  /// Notes what new fields leave to do for the indexes, and does it at once where that is little.
  private func beginIndexes(_ schema: ContainerSchema) throws {
    if schema == call.schema { return }
    let work = IndexWork(
      from: call.schema[call.resolved.environment], to: schema[call.resolved.environment])
    let filling = IndexFilling(schema.resolved(call.resolved.environment), in: transaction)
    try filling.begin(work)
    _ = try filling.step()
  }

  private func entries(
    _ names: [String?], _ failures: [Int: RequestFailure], _ saved: [Int: RecordRow],
    _ drafts: [ModifyDraft]
  ) -> [ModifyOutcome.Entry] {
    let deletions = Set(drafts.filter(\.isDeletion).map(\.index))
    return names.enumerated().map { index, name in
      if let failure = failures[index] { return .failed(name ?? "", failure) }
      if deletions.contains(index) { return .deleted(name ?? "", saved[index]) }
      return saved[index].map { .saved($0) } ?? .failed(name ?? "", .badRequest("nothing to do"))
    }
  }
}
