import RecordWire

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
