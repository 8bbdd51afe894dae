import DataModel
import RecordWire

/// Holds each operation against the record that is there, without looking at the others.
struct ModifyDrafting {
  let call: ModifyCall

  /// The names that the operations are about: given ones, and new ones for those without.
  func names() -> [String?] {
    call.request.operations.enumerated().map { index, operation in
      if let name = operation.record.recordName { return name }
      guard operation.kind.rule.mayCreate, call.newNames.indices.contains(index) else { return nil }
      return call.newNames[index]
    }
  }

  /// One operation, or why it cannot be done.
  func draft(
    _ index: Int, _ name: String?, _ stored: RecordRow?
  ) throws(RequestFailure) -> ModifyDraft {
    let operation = call.request.operations[index]
    guard let name, !name.isEmpty else {
      throw .badRequest("recordName is required for \(operation.kind.rawValue)")
    }
    let existing = stored.flatMap { $0.isDeleted ? nil : $0 }
    // First of all: who may not touch a record is not told what it is like.
    try checkRights(operation, existing, stored)
    try checkState(operation, existing)
    let type = try type(operation, existing)
    var assets = AssetCheck(call, existing)
    let given = try fields(operation)
    let fields = operation.kind.rule.isDeletion ? given : try assets.admit(given)
    return ModifyDraft(
      index: index, name: name, kind: operation.kind, existing: existing, type: type,
      fields: fields, parent: operation.record.parent?.recordName ?? existing?.parent,
      references: try references(fields), receivedAssets: assets.received)
  }

  private func checkState(
    _ operation: RecordOperation, _ existing: RecordRow?
  ) throws(RequestFailure) {
    let rule = operation.kind.rule
    if rule.needsAbsence && existing != nil { throw .recordExists }
    guard rule.needsTag else { return }
    guard let tag = operation.record.changeTag else {
      throw .badRequest("recordChangeTag is required for \(operation.kind.rawValue)")
    }
    guard let existing else { throw .noSuchRecord }
    if tag != existing.changeTag { throw .staleTag }
  }

  private func type(
    _ operation: RecordOperation, _ existing: RecordRow?
  ) throws(RequestFailure) -> String {
    let given = operation.record.recordType
    if let existing {
      guard let given, given != existing.type else { return existing.type }
      throw .badRequest("the record has the type '\(existing.type)', not '\(given)'")
    }
    if let given { return given }
    // What is not there can be deleted without knowing what it was.
    if operation.kind.rule.isDeletion { return "" }
    throw .badRequest("recordType is required for \(operation.kind.rawValue)")
  }

  /// Grants count in the public database; a private one is its owner's.
  private func checkRights(
    _ operation: RecordOperation, _ existing: RecordRow?, _ stored: RecordRow?
  ) throws(RequestFailure) {
    guard call.zone.database.scope == .everyone else { return }
    let rule = operation.kind.rule
    if rule.isDeletion && !rule.needsTag && existing == nil {
      guard mayKnowOfAbsence(stored) else { throw .notPermitted }
      return
    }
    // A record to be made needs the right to make one, even where its name is taken.
    let target = rule.needsAbsence ? nil : existing
    if target == nil && !rule.mayCreate { return }
    guard let type = target?.type ?? operation.record.recordType ?? existing?.type else { return }
    if type == UserRecord.type { try checkUser(operation, existing) }
    let rights = call.resolved.rights(of: call.caller, onType: type)
    let isPermitted =
      target.map {
        rights.permissions(onRecordBy: $0.created.userRecordName).contains(.write)
      } ?? rights.always.contains(.create)
    if !isPermitted { throw .notPermitted }
  }

  /// Whether a deletion may be answered as done that finds nothing: who could not delete a record is told
  /// the same where there is one.
  ///
  /// A tombstone is judged as its record was; where there never was any, it could have been of every type.
  private func mayKnowOfAbsence(_ tombstone: RecordRow?) -> Bool {
    guard let tombstone else { return call.resolved.mayWriteAll(call.caller) }
    return call.resolved.rights(of: call.caller, onType: tombstone.type)
      .permissions(onRecordBy: tombstone.created.userRecordName).contains(.write)
  }

  /// The server makes the records of users; what they can do is not for them to say.
  private func checkUser(
    _ operation: RecordOperation, _ existing: RecordRow?
  ) throws(RequestFailure) {
    let isUnchanged = try fields(operation)[UserRecord.rolesField] == nil
    let keepsRoles = operation.kind.rule.keepsOtherFields
    guard existing != nil, isUnchanged, keepsRoles else { throw .usersBelongToServer }
  }

  private func fields(_ operation: RecordOperation) throws(RequestFailure) -> RecordFields {
    switch operation.record.content {
    case nil: return RecordFields()
    case .fields(let fields)?: return fields
    case .wire(let bytes)?:
      do { return try bytes.fields(limits: .request) } catch { throw error.requestFailure }
    }
  }

  private func references(_ fields: RecordFields) throws(RequestFailure) -> [ReferenceRow] {
    for entry in fields.entries {
      for reference in entry.field.value.references {
        guard let action = reference.action, action != .none, let zone = reference.zone,
          zone.name != call.zone.name
        else { continue }
        throw .badRequest(
          "field '\(entry.name)' refers to another zone, where only action NONE can lead")
      }
    }
    return fields.rows(ofReferencesIn: call.zone)
  }
}

extension RecordFields {
  /// The references whose targets have to know of them, each once, in their order: a list may have many.
  func rows(ofReferencesIn zone: ZoneKey) -> [ReferenceRow] {
    var known: Set<ReferenceRow> = []
    return entries.flatMap(\.field.value.references).compactMap { reference in
      guard let action = reference.action, action != .none else { return nil }
      let row = ReferenceRow(to: RecordKey(zone, reference.recordName), action)
      return known.insert(row).inserted ? row : nil
    }
  }
}

extension RecordValue {
  /// The references in the value, also in a list, and where nobody said that they are some.
  var references: [RecordReference] {
    switch self {
    case .reference(let reference): [reference]
    case .list(let elements, _): elements.flatMap(\.references)
    case .untyped(let value): value.references
    default: []
    }
  }
}

extension UntypedValue {
  fileprivate var references: [RecordReference] {
    switch self {
    case .reference(let reference): [reference]
    case .array(let elements): elements.flatMap(\.references)
    default: []
    }
  }
}
