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

extension FieldPlace {
  /// The fields of which one has the value: that for a file is the last.
  var fieldNames: [String] { [name] + (assetTwin.map { [$0] } ?? []) }
}

extension Unifier {
  /// Whether files are on their way to an object, so that it has not yet what may become the other's.
  ///
  /// One that does not come keeps nobody waiting for ever.
  func waitsForFiles(_ record: RecordRow) throws -> Bool {
    guard objects.hasFiles else { return false }
    return try rows.awaitedFiles(of: record.number).contains {
      $0.attempts < FileLimits.attemptsApartMax
    }
  }

  /// Gives the winner what the loser has in a file.
  func copy(_ file: FileField, from loser: ObjectKey, to winner: Int64, _ type: ObjectType) throws {
    guard let content = try local.content(of: file, loser, store), let digest = try content.digest()
    else { return }
    let copied = try content.linked(at: linkPath)
    defer { if let path = linkPath { unlink(path) } }
    let asset = RecordAsset(fileChecksum: digest.checksum, size: digest.size)
    let value = AwaitedFile(field: file.field, plainField: file.plainField, asset: asset)
    _ = try writers.writer(type).setFile(value, of: winner, to: copied, size: digest.size)
  }

  /// Where a second name of a file is put that is to become another object's, too.
  private var linkPath: String? {
    if case .file(let path) = store.location { path + "-sync.unified" } else { nil }
  }
}

extension FileContent {
  /// The same under another name, so that who takes a file over does not take it away; in memory where the disk has no
  /// second names.
  fileprivate func linked(at path: String?) throws -> FileContent {
    guard case .file(let original) = self else { return self }
    if let path {
      unlink(path)
      if link(original, path) == 0 { return .file(path: path) }
    }
    return .bytes(try wholeBytes() ?? [])
  }
}
