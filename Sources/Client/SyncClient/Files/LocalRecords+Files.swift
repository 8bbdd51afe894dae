import DataModel
import ObjectStore
import RecordWire
import SyncCore

// Values that are sent as files, as records have them: by checksum and size.
extension LocalRecords {
  /// Which files of an object are looked at: to know one may take reading it.
  enum FileWish {
    /// All of them.
    case all
    /// Those of these fields.
    case fields(Set<String>)

    func includes(_ field: String) -> Bool {
      switch self {
      case .all: true
      case .fields(let names): names.contains(field)
      }
    }
  }

  /// Puts the object's files into its fields: those that it waits for as its record has them, the others
  /// by what the server calls them, or would.
  func addFiles(
    to found: inout ObjectFields?, _ record: RecordRow, _ object: ObjectKey, _ wish: FileWish
  ) throws {
    guard var read = found, let store, let type = objects.objectType(number: object.entity),
      type.hasFiles
    else {
      return
    }
    let awaited = try rows.awaitedFiles(of: record.number)
    for row in awaited {
      // What the object has there is the value before.
      read.fields[row.field] = RecordField(.asset(row.asset))
      if let plain = row.plainField { read.fields[plain] = nil }
      read.files.removeAll { $0.field.isSameName(row.field) }
    }
    for file in read.files where wish.includes(file.field) {
      if let row = try known(file, of: record, object, store) {
        read.fields[file.field] = RecordField(.asset(row.asset))
      } else {
        read.unrepresentable.append(.fileGone(file, type))
      }
    }
    found = read
  }

  /// What is known of a value that is sent as a file; nil when its bytes are gone.
  func known(
    _ file: FileField, of record: RecordRow, _ object: ObjectKey, _ store: Store
  ) throws -> KnownFileRow? {
    if let name = file.storedName,
      let row = try rows.file(record.number, file.field, storedName: name)
    {
      return row
    }
    guard let content = try content(of: file, object, store), let digest = try content.digest()
    else { return nil }
    return try rows.file(record.number, file.field, digest)
      ?? KnownFileRow(
        record: record.number, field: file.field, digest: digest, storedName: file.storedName)
  }

  /// Where the bytes of a value are; nil when they are gone.
  func content(
    of file: FileField, _ object: ObjectKey, _ store: Store
  ) throws -> FileContent? {
    if let name = file.storedName {
      return store.externalPath(named: name).map { .file(path: $0) }
    }
    return try objects.bytes(of: file, of: object, in: rows.connection, store).map { .bytes($0) }
  }
}

extension ObjectType {
  /// Whether values of the entity's objects may be in files.
  var hasFiles: Bool { !fileFields.isEmpty }

  /// Whether a field's value may be in a file: its own, or that of the field beside it.
  func mayBeInFile(_ field: String) -> Bool {
    fileFields.contains { $0.isSameName(field) }
      || twins.contains { places[$0].name.isSameName(field) }
  }

  /// The place whose value is in one of two fields, of which this is one.
  func twinPlace(of field: String) -> FieldPlace? {
    twins.lazy.map { self.places[$0] }.first { place in
      place.fieldNames.contains { $0.isSameName(field) }
    }
  }
}

extension UnrepresentableField {
  fileprivate static func fileGone(_ file: FileField, _ type: ObjectType) -> Self {
    let place = type.place(of: file.plainField ?? file.field)
    return Self(
      field: file.field, property: "\(type.entity).\(place?.propertyName ?? file.field)",
      reason: .fileGone)
  }
}

extension String {
  /// Names are the same when their bytes are.
  func isSameName(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
