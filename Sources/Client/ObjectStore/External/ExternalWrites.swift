import DataModel
import Foundation
import SQLiteDriver

/// The large values of one transaction: files that are written before it commits, and put in their
/// place, or removed, after it.
final class ExternalWrites {
  private let folder: ValueFolder
  private let newIdentifier: @Sendable () -> UUID
  private var names: [String] = []
  /// Which slots of which objects have their values in files now.
  private(set) var placed: [Placed] = []

  /// A slot whose value was written to a file.
  struct Placed {
    var entity: Int
    var key: Int64
    var slot: Int
    var name: String
  }

  init(_ folder: ValueFolder, newIdentifier: @escaping @Sendable () -> UUID) {
    self.folder = folder
    self.newIdentifier = newIdentifier
  }

  /// Binds the names of files instead of what is too large for a row; `parameter` says where a slot is.
  func bind(
    _ entity: EntityLayout, key: Int64, row: Row, slots: [Int], to statement: Statement,
    parameter: (Int) -> Int32?
  ) throws(StoreError) {
    for slot in slots where row.isPresent(slot) {
      guard let parameter = parameter(slot) else { continue }
      let value = row.bytes(slot, entity)
      if let file = value.file {
        if names.contains(file.name) || folder.size(file.name) != nil { continue }
        // The object refers to a value that others have replaced, and whose file is gone by now.
        guard !value.bytes.isEmpty else {
          throw .missingValueFile(file.name, "\(entity.name).\(entity.slots[slot].name)")
        }
      }
      guard let name = try place(value.bytes) else { continue }
      placed.append(Placed(entity: entity.index, key: key, slot: slot, name: name))
      statement.bind(parameter, name)
    }
  }

  /// Writes bytes to a file if they are too large for a row, and gives its name.
  func place(_ bytes: [UInt8]) throws(StoreError) -> String? {
    guard bytes.count > ValueFolder.thresholdBytes else { return nil }
    let name = newIdentifier().uuidString
    // Noted before, so that a file that was written in part is removed.
    names.append(name)
    try folder.write(name, bytes)
    return name
  }

  /// Takes a file as a value if it is too large for a row, and gives its name.
  func adopt(_ path: String, byteCount: Int) throws(StoreError) -> String? {
    guard byteCount > ValueFolder.thresholdBytes else { return nil }
    let name = newIdentifier().uuidString
    names.append(name)
    try folder.adopt(path, as: name)
    return name
  }

  /// Before the commit: the disk has the files.
  func sync() throws(StoreError) { try folder.sync(names) }

  func didCommit() { for name in names { folder.settle(name) } }

  func didRollBack() { for name in names { folder.discard(name) } }
}

extension StoreError {
  static func missingValueFile(_ name: String, _ subject: String) -> StoreError {
    StoreError(
      .readFailed, subject, "the file \(name) with the value is gone",
      fix: "the value was changed or deleted meanwhile: receive changes and read the object again")
  }
}

extension WriteTransaction {
  /// Where a value of an attribute with external storage is to be: writes bytes that are too large for
  /// a row to a file and gives its name, which the column then holds as text; nil where the bytes
  /// themselves go into the column.
  ///
  /// For those who write rows with statements of their own. Files of values that are overwritten or
  /// deleted are taken care of by triggers, whoever writes.
  public func externalName(for bytes: [UInt8]) throws(StoreError) -> String? {
    try external?.place(bytes)
  }

  /// Takes a file on the store's own disk as a large value, so that its bytes need not be read: it is
  /// moved to the others, and its name is what the column holds; nil where values of that size, or of
  /// this store, are in their rows.
  public func adoptExternal(_ path: String, byteCount: Int) throws(StoreError) -> String? {
    try external?.adopt(path, byteCount: byteCount)
  }
}
