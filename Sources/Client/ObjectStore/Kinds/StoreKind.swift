/// How a store keeps its objects.
///
/// All four do the same, by the same machinery: the kinds but `.sqlite` work on a database in memory.
public enum StoreKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// An SQLite file: a save writes what changed, and other processes may use it meanwhile.
  case sqlite
  /// Memory, gone with the store.
  case inMemory
  /// A compact file, read whole when it is opened and replaced whole by each save.
  case binary
  /// A file that people can read, read whole when it is opened and replaced whole by each save.
  case xml
}

extension StoreKind {
  /// Whether the whole store is loaded, and a save replaces the whole file.
  public var isAtomic: Bool { self == .binary || self == .xml }

  /// What the kind is called in messages.
  var words: String {
    switch self {
    case .sqlite: "an SQLite store"
    case .inMemory: "a store in memory"
    case .binary: "a binary store"
    case .xml: "an XML store"
    }
  }
}

extension Store.Location {
  /// The place of a store of `kind` at `path`, which `.inMemory` has no use for.
  public init(_ kind: StoreKind, path: String) {
    switch kind {
    case .sqlite: self = .file(path)
    case .inMemory: self = .memory
    case .binary: self = .binary(path)
    case .xml: self = .xml(path)
    }
  }

  /// The kind of store that is there.
  public var kind: StoreKind {
    switch self {
    case .file: .sqlite
    case .memory: .inMemory
    case .binary: .binary
    case .xml: .xml
    }
  }

  /// The store's file; nil in memory.
  public var path: String? {
    switch self {
    case .file(let path), .binary(let path), .xml(let path): path
    case .memory: nil
    }
  }

  /// What errors call the store.
  var subject: String { path ?? "store in memory" }
}

extension Store {
  /// The kind of the store in the file at `path`, told by its first bytes alone; nil where there is none.
  ///
  /// An SQLite database of another program counts as one of kind `.sqlite`: `facts(at:)` tells. Throws for
  /// a database that is cut short.
  public static func kind(at path: String) throws -> StoreKind? {
    do {
      if case .store(let kind) = try StoreFile.find(path) { return kind }
      return nil
    } catch let error as StoreError where error.code == .notAStore {
      return nil
    }
  }

  /// How the store keeps its objects.
  public var kind: StoreKind { location.kind }
}
