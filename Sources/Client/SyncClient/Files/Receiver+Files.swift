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

  /// The values of an object that goes and was edited, as they are kept: with the bytes of its files, as far
  /// as these are small; nil where nothing is to be kept.
  func valuesToKeep(of row: RecordRow, _ change: ChangeRow?) throws -> RecordFields? {
    let isEdited = change.map { $0.change.kind != .delete && !$0.change.isEmpty } ?? false
    let isKept = try isEdited || rows.change(of: row.number, state: .parked) != nil
    guard isKept, let read = try local.fields(of: row) else { return nil }
    guard let store = local.store, case .object(let entity, let key) = row.owner else {
      return read.fields
    }
    var fields = read.fields
    for file in read.files {
      guard case .asset(let asset)? = fields[file.field]?.value,
        asset.size ?? .max <= FileLimits.keptBytesMax,
        let content = try local.content(of: file, ObjectKey(entity: entity, key: key), store),
        let bytes = try content.wholeBytes()
      else { continue }
      fields[file.field]?.value = .bytes(bytes)
    }
    return fields
  }
}
