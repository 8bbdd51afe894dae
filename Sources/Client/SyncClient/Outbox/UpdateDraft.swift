import RecordWire
import SyncCore

/// An edited record on its way: all that it is to have, and what of that is sent.
struct UpdateDraft {
  /// What the server has, or had before it lost the record.
  let base: RecordFields
  /// Whether it has lost the record, which is sent as a whole then.
  let isLost: Bool
  /// The base, and of a lost record what the object has in its place.
  var fields: RecordFields
  private(set) var sent = RecordFields()
  private(set) var edits: [LocalEdit] = []
  /// What production has no fields for.
  private(set) var lacking: [String] = []

  init(of base: RecordFields, isLost: Bool) {
    self.base = base
    self.isLost = isLost
    fields = base
  }

  /// All that the record is to have, once what is sent has arrived.
  var outcome: RecordFields {
    var all = fields
    for entry in sent.entries { all[entry.name] = entry.field }
    return all.canonical
  }

  /// Takes out of a lost record what production has no fields for.
  mutating func leaveOut(_ names: [String]) {
    lacking = names
    for name in names { fields[name] = nil }
  }

  mutating func wait(for name: String) {
    if !lacking.contains(name) { lacking.append(name) }
  }

  mutating func send(_ edit: LocalEdit, isEncrypted: Bool) {
    edits.append(edit)
    sent[edit.name] = RecordField(edit.value, isEncrypted: isEncrypted)
  }

  /// Sends the clocks that the fields have from now on.
  ///
  /// A clock of what is not sent, as a file that is not here, would say that it has arrived; what is sent in its place
  /// has that of its own, as far as it is known.
  mutating func addClocks(in field: String, unsent: [String], earlier: [EarlierValue]) {
    var clocks = FieldClocks()
    if case .bytes(let bytes)? = fields[field]?.value {
      clocks = FieldClocks(bytes: bytes) ?? clocks
    }
    for name in unsent {
      if let clock = earlier[name] {
        clocks.inherit(clock, of: name)
      } else if fields[name] == nil {
        clocks.forget(name)
      } else {
        clocks.setBack(name)
      }
    }
    for edit in edits { clocks.note(edit) }
    sent[field] = RecordField(.bytes(clocks.bytes))
  }
}
