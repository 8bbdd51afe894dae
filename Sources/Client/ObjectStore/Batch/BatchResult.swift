public import DataModel

/// What a batch tells about the objects that it changed.
public enum BatchResultKind: Sendable, Hashable, CaseIterable {
  /// Only that it was done.
  case statusOnly
  /// How many objects there were.
  case count
  /// Which objects they were, and how many.
  case identities
}

/// What a batch has done; one that fails throws, and has changed nothing.
public struct BatchResult: Sendable, Hashable {
  /// How many objects were inserted, updated or deleted, each counted once; nil for `statusOnly`.
  public internal(set) var count: Int?
  /// The objects, each once; nil unless `identities` were asked for.
  public internal(set) var identities: [ObjectIdentity]?

  init(_ kind: BatchResultKind, count: Int, identities: @autoclosure () -> [ObjectIdentity]) {
    self.count = kind == .statusOnly ? nil : count
    self.identities = kind == .identities ? identities() : nil
  }
}

/// Limits of batches.
public enum BatchLimits {
  /// How many failures are looked for before a batch is given up.
  public static let failuresMax = 100
  /// How many keys are reserved at a time.
  static let keyRun = 4096
  /// How many referenced objects are remembered as being there.
  static let knownTargetsMax = 100_000
}

/// Failures of a batch, up to a limit.
struct BatchFailures {
  private(set) var all: [StoreError] = []

  var isFull: Bool { all.count >= BatchLimits.failuresMax }
  var isEmpty: Bool { all.isEmpty }

  mutating func add(_ failure: StoreError, row: Int? = nil) {
    guard !isFull else { return }
    var failure = failure
    if let row { failure.subject += ", row \(row)" }
    all.append(failure)
  }

  /// Throws what was found.
  func check(_ entity: String) throws(StoreError) {
    guard let first = all.first else { return }
    if all.count == 1 { throw first }
    let count = isFull ? "\(all.count) or more" : "\(all.count)"
    throw StoreError(
      .validation, entity, "\(count) things keep the batch from being saved",
      fix: "mend them and try again; nothing was written", failures: all)
  }
}

/// Objects that a batch updates besides, with the numbers of their properties: each is one change in
/// history, however often it is touched.
struct BatchUpdates {
  struct Object: Hashable {
    var entity: Int
    var key: Int64
  }

  private(set) var objects: [Object] = []
  private var properties: [[Int]] = []
  private var places: [Object: Int] = [:]

  mutating func note(_ entity: Int, _ key: Int64, _ numbers: [Int]) {
    let object = Object(entity: entity, key: key)
    guard let place = places[object] else {
      places[object] = objects.count
      objects.append(object)
      properties.append(numbers)
      return
    }
    for number in numbers where !properties[place].contains(number) {
      properties[place].append(number)
    }
  }

  /// Writes the updates into history.
  func record(_ transaction: WriteTransaction) throws {
    for (object, numbers) in zip(objects, properties) {
      try transaction.log.updated(object.entity, object.key, numbers)
    }
  }
}

extension Store {
  /// The layout of an entity that the store has.
  func batchLayout(_ entity: String) throws(StoreError) -> EntityLayout {
    guard let layout = layout.entity(entity) else {
      throw .unknownEntity(entity, among: layout.entities.map(\.name))
    }
    return layout
  }

  /// The identity of an object whose entity has that number.
  func identity(_ entity: Int, _ key: Int64) -> ObjectIdentity {
    layout.entity(number: entity).map { ObjectIdentity(origins[$0.index], key: key) }
      ?? ObjectIdentity(store: identifier, entity: "", key: key)
  }
}

extension EntityLayout {
  /// The SQL for the number of a row's entity, where the table has `alias`.
  func entityNumber(_ alias: String) -> String {
    sharesTable ? "\(alias).\(SystemColumn.entity)" : String(number)
  }
}
