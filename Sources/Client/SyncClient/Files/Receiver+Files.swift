import RecordWire
import SyncCore

extension Receiver {
  /// Prepares fields that an object takes over for their files: those that it waited for are others now,
  /// and of a value that may be in either of two fields both are there.
  func prepareFiles(
    _ values: inout RecordFields, _ type: ObjectType, _ fields: RecordFields, of row: RecordRow
  ) throws {
    for name in values.names { try rows.forgetAwaitedFile(row.number, name) }
    for index in type.twins {
      let place = type.places[index]
      guard let twin = place.assetTwin, values[twin] != nil || values[place.name] != nil else {
        continue
      }
      for name in [place.name, twin] where values[name] == nil {
        values[name] = RecordField(fields[name]?.value ?? .null)
      }
    }
  }

  func type(of row: RecordRow) -> ObjectType? {
    if case .object(let entity, _) = row.owner { objects.objectType(number: entity) } else { nil }
  }
}
