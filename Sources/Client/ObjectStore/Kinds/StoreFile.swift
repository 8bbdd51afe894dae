import Foundation
import SQLiteDriver

/// What stands at a path, told by its first bytes alone.
enum StoreFile {
  /// What can be there.
  enum Found: Hashable {
    case absent
    /// A file without bytes.
    case empty
    case store(StoreKind)
  }

  /// How much of a file is looked at.
  static let headBytes = 1024

  /// Tells what is at `path`; throws for all that is no store.
  static func find(_ path: String) throws -> Found {
    do {
      _ = try DatabaseFile(reading: path)
      return .store(.sqlite)
    } catch {
      let fix = "name a file that Contrail made, or one that does not exist yet"
      switch error.problem {
      case .absent: return .absent
      case .empty: return .empty
      case .notAFile:
        throw StoreError(.notAStore, path, "is a folder or a device, no file", fix: fix)
      case .unreadable(let reason):
        throw StoreError(
          .cannotOpen, path, "the file cannot be read: \(reason)",
          fix: "check who may read the file and its folder")
      case .truncated(let expected, let found):
        throw StoreError(
          .corrupt, path, "is cut short: \(found) of \(expected) bytes",
          fix: "restore it from a backup")
      case .encrypted, .notADatabase:
        if let kind = try atomicKind(path) { return .store(kind) }
        throw StoreError(
          .notAStore, path,
          error.problem == .encrypted
            ? "looks like an encrypted file" : "is a file of another program", fix: fix)
      }
    }
  }

  private static func atomicKind(_ path: String) throws -> StoreKind? {
    let head = try bytes(path, upTo: headBytes)
    if head.starts(with: BinaryFormat.magic) || BinaryFormat.magic.starts(with: head) {
      return .binary
    }
    return String(decoding: head, as: UTF8.self).contains("<\(XMLStoreFormat.root)") ? .xml : nil
  }

  /// The bytes of a file.
  static func bytes(_ path: String, upTo count: Int = BinaryFormat.fileBytesMax) throws -> [UInt8] {
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      return [UInt8](try file.read(upToCount: count) ?? Data())
    } catch {
      throw StoreError(.readFailed, path, "the file cannot be read: \(error.localizedDescription)")
    }
  }

  /// Whether there is no store at `location` yet; throws for what is no store of its kind.
  static func isNew(_ location: Store.Location, mayBeAbsent: Bool) throws -> Bool {
    guard let path = location.path else { return true }
    switch try find(path) {
    case .absent:
      if mayBeAbsent { return true }
      throw absent(path)
    case .empty:
      // SQLite makes the file before it writes to it: a process that was killed leaves it empty.
      if mayBeAbsent && location.kind == .sqlite { return true }
      throw empty(path)
    case .store(let kind):
      if kind == location.kind { return false }
      throw StoreError(
        .notAStore, path, "is \(kind.words), not \(location.kind.words)",
        fix: "open it as .\(kind.place)(path), or copy it to the other kind")
    }
  }

  static func absent(_ path: String) -> StoreError {
    StoreError(
      .cannotOpen, path, "no such file", fix: "check the path, or allow saving to make a store")
  }

  static func empty(_ path: String) -> StoreError {
    StoreError(.notAStore, path, "is empty", fix: "take it away, or restore it from a backup")
  }
}

extension StoreKind {
  /// The case of `Store.Location`.
  fileprivate var place: String {
    switch self {
    case .sqlite: "file"
    case .inMemory: "memory"
    case .binary: "binary"
    case .xml: "xml"
    }
  }
}
