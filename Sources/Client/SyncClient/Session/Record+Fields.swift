import RecordWire
import SyncCore

extension RecordFields {
  /// The fields that `others` have with another value, or that are not here at all.
  func names(otherThanIn others: RecordFields) -> [String] {
    others.entries.filter { !($0.field.value.isSame(as: self[$0.name]?.value ?? .null)) }
      .map(\.name)
  }
}

extension Record {
  /// The fields as values, however they came.
  func allFields() throws -> RecordFields {
    switch content {
    case .fields(let fields): fields
    case .wire(let bytes): try bytes.fields()
    case nil: RecordFields()
    }
  }
}
