import Foundation
import Glibc
internal import Synchronization

/// The folder beside a store with the values that are too large for its tables, each a file named by a
/// UUID.
///
/// A file begins in the folder `new` and moves to its place once the transaction that refers to it is
/// committed. After a crash `new` therefore holds all that may be an orphan, so that opening a store
/// looks at a folder that is nearly always empty, and never at every value. Whoever reads looks in both
/// places, since a process may have ended between its commit and the move.
final class ValueFolder: Sendable {
  /// Values with more bytes than this are files; smaller ones stay in their row.
  static let thresholdBytes = 100 * 1024
  /// How many bytes are written with one call.
  private static let chunkBytes = 1 << 20

  /// The folder: the store's file name and ".values".
  let path: String
  /// How many files were read.
  let reads = Atomic<Int>(0)

  init(store: String) { path = store + ".values" }

  private var newPath: String { "\(path)/new" }

  /// Whether a name from a column can be a value's: a damaged store must not lead anywhere else.
  static func isName(_ name: String) -> Bool { UUID(uuidString: name) != nil }

  private func fresh(_ name: String) -> String { "\(newPath)/\(name)" }

  /// Values are spread over folders by the ends of their names, which are random in every kind of UUID.
  private func folder(of name: String) -> String { "\(path)/\(name.suffix(2))" }

  private func place(_ name: String) -> String { "\(folder(of: name))/\(name)" }
}

extension ValueFolder {
  /// Writes a value that a transaction is about to refer to.
  func write(_ name: String, _ bytes: [UInt8]) throws(StoreError) {
    mkdir(path, 0o755)
    mkdir(newPath, 0o755)
    let file = open(fresh(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw failure(fresh(name), "cannot be made") }
    defer { close(file) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { all in
        Glibc.write(
          file, all.baseAddress.map { $0 + done }, min(Self.chunkBytes, bytes.count - done))
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(fresh(name), "cannot be written")
      }
      done += count
    }
  }

  /// Waits until the disk has the new files: only then may a transaction that refers to them commit.
  func sync(_ names: [String]) throws(StoreError) {
    if names.isEmpty { return }
    for place in names.map(fresh) + [newPath, path] {
      let file = open(place, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw failure(place, "cannot be opened") }
      defer { close(file) }
      guard fsync(file) == 0 else { throw failure(place, "cannot be written to the disk") }
    }
  }

  /// Moves a value to its place, after the commit.
  ///
  /// When that fails it is found where it is.
  func settle(_ name: String) {
    mkdir(folder(of: name), 0o755)
    _ = rename(fresh(name), place(name))
  }

  /// Removes a value whose transaction was rolled back.
  func discard(_ name: String) { unlink(fresh(name)) }

  /// Removes a value that nothing refers to.
  func remove(_ name: String) {
    guard Self.isName(name) else { return }
    unlink(place(name))
    unlink(fresh(name))
  }

  /// The names of files whose transactions are not known to have been committed.
  var newNames: [String] { names(in: newPath) }

  /// The names of all values.
  var allNames: [String] {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return folders.flatMap { names(in: "\(path)/\($0)") }
  }

  private func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter(Self.isName)
      .sorted()
  }
}

extension ValueFolder {
  /// Takes a file from elsewhere on the same disk as a value that a transaction is about to refer to.
  func adopt(_ path: String, as name: String) throws(StoreError) {
    mkdir(self.path, 0o755)
    mkdir(newPath, 0o755)
    guard rename(path, fresh(name)) == 0 else { throw failure(path, "cannot be moved") }
  }

  /// Where the file of a value is now; nil when it is gone.
  func place(of name: String) -> String? {
    guard Self.isName(name) else { return nil }
    return [place(name), fresh(name), place(name)].first { access($0, R_OK) == 0 }
  }

  /// How many bytes a value has; nil when its file is gone.
  func size(_ name: String) -> Int? {
    guard Self.isName(name) else { return nil }
    for place in [place(name), fresh(name), place(name)] {
      var facts = stat()
      if stat(place, &facts) == 0 { return Int(facts.st_size) }
    }
    return nil
  }

  /// The bytes of a value; nil when its file is gone.
  func read(_ name: String) throws(StoreError) -> [UInt8]? {
    guard Self.isName(name) else {
      throw StoreError(.corrupt, path, "holds no value called \(name)")
    }
    reads.add(1, ordering: .relaxed)
    // A value may move between two looks, and only once.
    for place in [place(name), fresh(name), place(name)] {
      let file = open(place, O_RDONLY | O_CLOEXEC)
      if file < 0 {
        if errno == ENOENT { continue }
        throw failure(place, "cannot be opened", .readFailed)
      }
      defer { close(file) }
      guard let data = try? FileHandle(fileDescriptor: file, closeOnDealloc: false).readToEnd()
      else {
        // An empty file reads as nil too; no value here is empty.
        throw failure(place, "cannot be read", .readFailed)
      }
      return [UInt8](data)
    }
    return nil
  }

  /// Whether two values, in rows or in files, are the same bytes.
  func hasSameBytes(_ first: BytesSlot, _ second: BytesSlot) -> Bool {
    guard byteCount(first) == byteCount(second), let a = bytes(first), let b = bytes(second) else {
      return false
    }
    return a == b
  }

  private func byteCount(_ value: BytesSlot) -> Int? {
    guard let file = value.file, value.bytes.isEmpty else { return value.bytes.count }
    return size(file.name)
  }

  /// The bytes of a value; nil when its file is gone.
  func bytes(_ value: BytesSlot) -> [UInt8]? {
    guard let file = value.file, value.bytes.isEmpty else { return value.bytes }
    return (try? read(file.name)) ?? nil
  }

  private func failure(
    _ place: String, _ words: String, _ code: StoreError.Code = .writeFailed
  ) -> StoreError {
    let reason = String(cString: strerror(errno))
    return StoreError(
      code, place, "\(words): \(reason)",
      fix: code == .writeFailed
        ? "nothing was saved; free space or mend rights, and save again" : nil)
  }
}
