import DataModel
import RecordWire
import SyncCore

/// One operation of a push, and what has to be known when its answer comes.
struct PushItem: Hashable {
  var record: RecordRow
  var kind: LocalChange.Kind
  var operation: RecordOperation
  /// The edits that it sends; none for new records, which are sent as a whole, and deletions.
  var edits: [LocalEdit]
  /// The clock of a new record.
  var clock: HybridTime
  /// The state that the record has on the server once it has arrived.
  var state: FieldBytes
  /// The last transaction that is in it.
  var last: Int64
  /// The base that it was made on.
  var base: BaseRow?
  /// Whether the record has values in files.
  var hasFiles = false
}

extension PushItem {
  /// Whether it sends an edit, and not one of the same field that was made later.
  func sends(_ edit: LocalEdit) -> Bool {
    edits.contains { $0.name == edit.name && $0.clock == edit.clock }
  }

  /// Whether it sends what production lacks: what does not is refused for something else.
  func sends(_ lack: SchemaLack) -> Bool {
    guard kind != .delete, lack.recordType.isSameName(record.type) else { return false }
    guard let field = lack.field else { return true }
    let fields = try? operation.record.allFields()
    return fields?.names.contains { $0.isSameName(field) } ?? true
  }
}

/// One request of a push.
struct PushBatch: Hashable {
  var items: [PushItem]
  /// The number under which it is kept until its answer comes.
  var flight: Int64
  /// The body of the request.
  var body: [UInt8]
  /// The unit that it is a part of only, since that is too large for one request.
  var splitUnit: Int64?
}
