import RecordWire
import SyncCore

/// What requests say of whose arrival nobody knows: read once, when it is needed.
final class SentEdits {
  private let rows: SyncRows
  private var operations: [String: [RecordFields]]?

  init(_ rows: SyncRows) { self.rows = rows }

  /// The edits, each with what was sent of its field.
  func marking(_ edits: [LocalEdit], of record: RecordRow) throws -> [LocalEdit] {
    let sent = try all()[record.name] ?? []
    return edits.map { edit in
      var edit = edit
      // The record's clocks do not tell whether it arrived: the value does.
      if edit.isInherited { return edit }
      for fields in sent {
        guard let field = fields[edit.name] else { continue }
        edit.sent.append(SentEdit(value: field.value, clock: Self.clock(of: edit.name, fields)))
      }
      return edit
    }
  }

  private func all() throws -> [String: [RecordFields]] {
    if let operations { return operations }
    var found: [String: [RecordFields]] = [:]
    for flight in try rows.flights() {
      for operation in flight.request.operations {
        guard let name = operation.record.recordName else { continue }
        found[name, default: []].append(try operation.record.allFields())
      }
    }
    operations = found
    return found
  }

  private static func clock(of field: String, _ fields: RecordFields) -> FieldClock? {
    for entry in fields.entries {
      if case .bytes(let bytes) = entry.field.value, entry.name == ClockField.name,
        let clocks = FieldClocks(bytes: bytes)
      {
        return clocks[field]
      }
    }
    return nil
  }
}
