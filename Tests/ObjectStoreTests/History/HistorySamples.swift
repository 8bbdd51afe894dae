import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

/// Vehicles, of which cars are some, and their owners.
enum HistorySamples {
  static let schema = Schema(
    name: "Fleet",
    entities: [
      Schema.Entity(
        name: "Vehicle",
        attributes: [
          Schema.Attribute(
            name: "plate", type: .string, isOptional: true, options: .preservedOnDeletion),
          Schema.Attribute(name: "wheels", type: .integer64, defaultValue: .integer(0)),
        ],
        relationships: [
          Schema.Relationship(name: "owner", destination: "Owner", inverse: "vehicles")
        ]),
      Schema.Entity(
        name: "Car", parent: "Vehicle",
        attributes: [Schema.Attribute(name: "doors", type: .integer64, isOptional: true)]),
      Schema.Entity(
        name: "Owner",
        attributes: [Schema.Attribute(name: "name", type: .string, isOptional: true)],
        relationships: [
          Schema.Relationship(
            name: "vehicles", destination: "Vehicle", inverse: "owner", isToMany: true)
        ]),
    ])

  /// A store's clock that goes on by a second with each look.
  static func environment(_ start: Double = 1000) -> Store.Environment {
    let clock = Clock(start)
    var environment = Store.Environment.system
    environment.now = { clock.next() }
    environment.processName = "tests"
    return environment
  }

  static func store(at location: Store.Location = .memory) throws -> Store {
    try Store(at: location, schema: schema, environment: environment())
  }

  private final class Clock: @unchecked Sendable {
    private let lock = NSLock()
    private var time: Double
    init(_ time: Double) { self.time = time }
    func next() -> Date {
      lock.withLock {
        time += 1
        return Date(timeIntervalSinceReferenceDate: time)
      }
    }
  }
}

/// A folder that goes with the test.
final class HistoryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "contrail-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }
}

extension ModelContext {
  convenience init(_ store: Store, author: String?) {
    self.init(store)
    self.author = author
  }

  /// Inserts `count` objects and saves.
  @discardableResult
  func add(_ entity: String, _ count: Int = 1) throws -> [ManagedObject] {
    let objects = try (0..<count).map { _ in try insert(entity) }
    try save()
    return objects
  }
}

extension HistoryTransaction {
  /// The transaction in one line: number, author, changes.
  var line: String {
    "\(number) \(author ?? "-"): " + changes.map(\.line).joined(separator: ", ")
      + (isContinued ? " …" : "")
  }
}

extension HistoryChange {
  /// The change in a few words: number, kind, entity, key and properties.
  var line: String {
    let sign = [ChangeKind.insert: "+", .update: "~", .delete: "-"][kind] ?? "?"
    let names = updatedProperties.map(\.name).joined(separator: " ")
    return "#\(number) \(sign)\(entity.name) \(key)" + (names.isEmpty ? "" : " (\(names))")
  }
}

extension ChangeSet {
  /// The set in one line.
  var line: String {
    var parts = insertedRuns.map { "+\($0.entity)/\($0.firstKey)x\($0.count)" }
    parts += updates.map { "~\($0.entity)/\($0.key)\($0.properties)" }
    parts += deletions.map { "-\($0.entity)/\($0.key)" }
    if isUnknown { parts.append("unknown") }
    return "\(transaction) \(author ?? "-"): " + parts.joined(separator: " ")
  }
}

/// What `body` throws, as a `StoreError`.
func storeError(_ body: () throws -> Void) -> StoreError? {
  do {
    try body()
    return nil
  } catch {
    return error as? StoreError
  }
}
