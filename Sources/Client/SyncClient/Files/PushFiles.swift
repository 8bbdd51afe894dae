import ObjectStore
import RecordWire
import SyncCore

/// A file that has to be on the server before its record can be sent.
struct WantedUpload: Hashable {
  var record: RecordRow
  var object: ObjectKey
  var file: FileField
  var digest: FileDigest
}

/// The files of the records of one push: finds the proofs that the server has them, and says which it has
/// not.
struct PushFiles {
  let local: LocalRecords
  let store: Store
  let now: Int64
  /// What has to be sent first.
  private(set) var missing: [WantedUpload] = []

  init(_ local: LocalRecords, _ store: Store, now: Int64) {
    self.local = local
    self.store = store
    self.now = now
  }

  /// What is sent of a record: files with their receipts, but for those that it has there already.
  mutating func ready(
    _ sent: RecordFields, of record: RecordRow, _ read: ObjectFields, base: RecordFields?
  ) throws -> RecordFields {
    var ready = sent
    for file in read.files {
      guard let field = sent[file.field], case .asset(let asset) = field.value else { continue }
      if let base, base[file.field]?.value.isSame(as: field.value) == true { continue }
      guard case .object(let entity, let key) = record.owner else { continue }
      let object = ObjectKey(entity: entity, key: key)
      guard let known = try local.known(file, of: record, object, store) else { continue }
      if let receipt = known.receipt(at: now) {
        ready[file.field] = RecordField(.asset(receipt), isEncrypted: field.isEncrypted)
      } else {
        missing.append(
          WantedUpload(record: record, object: object, file: file, digest: known.digest))
        ready[file.field] = RecordField(.asset(asset), isEncrypted: field.isEncrypted)
      }
    }
    return ready
  }

  /// Files that the object of a record waits for which the server has lost: they are lost with it.
  func forgetAwaited(of record: RecordRow) throws {
    for row in try local.rows.awaitedFiles(of: record.number) {
      try local.rows.log(
        [
          .fileMissing(
            record: record.name, field: row.field,
            reason: "the server has lost the record before the file was fetched")
        ], at: now)
    }
    try local.rows.forgetAwaitedFiles(of: record.number)
  }
}

extension RecordFields {
  /// Takes the values that may be in files from what an object has.
  mutating func takeFiles(of type: ObjectType?, from read: RecordFields) {
    guard let type, type.hasFiles else { return }
    let plain = type.twins.map { type.places[$0].name }
    for name in type.fileFields + plain { self[name] = read[name] }
  }
}

extension LocalChange {
  /// The files that have to be looked at to send the change.
  func fileWish(_ type: ObjectType?) -> LocalRecords.FileWish {
    // Where values may be in either of two fields, one edit may move another value.
    guard kind == .update, let type, type.hasFiles, type.twins.isEmpty else { return .all }
    return .fields(Set(edits.map(\.name)))
  }
}

extension ObjectFields {
  /// The values that the server has in the record itself and that move into files, since the record has
  /// become too large: nobody edited them, and they are sent all the same.
  func moved(
    from base: RecordFields?, besides edits: [LocalEdit], _ clock: FieldClock
  ) -> [LocalEdit] {
    guard let base else { return [] }
    return files.flatMap { file -> [LocalEdit] in
      guard let plain = file.plainField, base[plain] != nil,
        !edits.contains(where: { $0.name.isSameName(plain) })
      else { return [] }
      return [plain, file.field].map { LocalEdit($0, fields[$0]?.value ?? .null, clock) }
    }
  }
}
