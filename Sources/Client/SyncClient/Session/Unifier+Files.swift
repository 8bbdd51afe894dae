import Glibc
import ObjectStore
import RecordWire
import SyncCore

/// What an object has in a place whose value may be in either of two fields, or a file.
struct UnifiedValue {
  /// The field that has it.
  let field: String
  let value: RecordValue
  /// Where the bytes are; nil where it is no file, or one that is not here.
  let file: FileField?

  init(_ place: FieldPlace, in read: ObjectFields) {
    for name in place.fieldNames.reversed() {
      guard case .asset(let asset)? = read.fields[name]?.value else { continue }
      (field, value) = (name, .asset(asset))
      file = read.files.first { $0.field.isSameName(name) }
      return
    }
    (field, value, file) = (place.name, read.fields[place.name]?.value ?? .null, nil)
  }

  private init(_ value: RecordValue, in field: String) {
    (self.field, self.value, file) = (field, value, nil)
  }

  /// What becomes of this and another one by what a merge rule says; nil where the other one stays.
  ///
  /// A rule may choose between files, and cannot make one.
  func choice(of result: RecordValue, beside other: UnifiedValue) -> UnifiedValue? {
    if result.isSame(as: other.value) { return nil }
    if result.isSame(as: value) { return isHere ? self : nil }
    return result.isAsset ? nil : UnifiedValue(result, in: field)
  }

  private var isHere: Bool { file != nil || !value.isAsset }
}

extension Unifier {
  /// Whether files are on their way to an object, so that it has not yet what may become the other's, or give way to
  /// that.
  ///
  /// One that does not come keeps nobody waiting for ever, and where nothing is fetched nobody waits.
  func waitsForFiles(_ record: RecordRow) throws -> Bool {
    guard objects.hasFiles, configuration.machine.direction != .push else { return false }
    return try rows.awaitedFiles(of: record.number).contains {
      $0.attempts < FileLimits.attemptsApartMax
    }
  }

  /// Gives the winner what the loser has in a file; false where the file is gone, or does not fit.
  func copy(
    _ file: FileField, of loser: RecordRow, _ from: ObjectKey, to winner: RecordRow, _ key: Int64,
    _ type: ObjectType
  ) throws -> Bool {
    guard let known = try local.known(file, of: loser, from, store),
      let content = try secondName(of: file, from)
    else { return false }
    defer { if let path = linkPath { unlink(path) } }
    let value = AwaitedFile(field: file.field, plainField: file.plainField, asset: known.asset)
    let set = try writers.writer(type).setFile(value, of: key, to: content, size: known.digest.size)
    guard let set, set.unfit.isEmpty else { return false }
    try rows.forgetFile(winner.number, file.field)
    try rows.put(
      KnownFileRow(
        record: winner.number, field: file.field, digest: known.digest, checksum: known.checksum,
        storedName: set.storedName))
    return true
  }

  /// The bytes of a value under a name of their own; nil where they are gone.
  ///
  /// Whoever has just committed a value moves its file to its place, once: then it is where it was not.
  private func secondName(of file: FileField, _ object: ObjectKey) throws -> FileContent? {
    for _ in 0..<2 {
      guard let content = try local.content(of: file, object, store) else { return nil }
      if let content = try content.linked(at: linkPath) { return content }
    }
    return nil
  }

  /// Where a second name of a file is put that is to become another object's, too.
  private var linkPath: String? {
    if case .file(let path) = store.location { path + "-sync.unified" } else { nil }
  }
}

extension FileContent {
  /// The same under another name, so that who takes a file over does not take it away; in memory where the disk has no
  /// second names; nil where the file is gone.
  fileprivate func linked(at path: String?) throws -> FileContent? {
    guard case .file(let original) = self else { return self }
    if let path {
      unlink(path)
      if link(original, path) == 0 { return .file(path: path) }
      if errno == ENOENT { return nil }
    }
    return try wholeBytes().map { .bytes($0) }
  }
}
