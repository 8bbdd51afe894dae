import DataModel
import Foundation
import SQLiteDriver

/// What a store does besides keeping rows: large values in files, derived attributes, and knowing
/// how its texts are normalized.
///
/// Each costs nothing where the schema has none.
final class StoreExtras: Sendable {
  /// Where large values are; nil where they stay in their rows.
  let values: ValueFolder?
  let cleaning: ValueCleaning?
  let derived: DerivedPlan
  let texts: TextForms
  private let newIdentifier: @Sendable () -> UUID

  init(
    _ layout: StoreLayout, _ location: Store.Location, _ environment: Store.Environment,
    _ identifier: UUID
  ) {
    values =
      switch location {
      case .file(let path): ValueFolder(store: path)
      // These are in memory as a whole, and their files are written as a whole.
      case .memory, .binary, .xml: nil
      }
    cleaning = ValueCleaning(values, layout)
    derived = DerivedPlan(layout)
    texts = TextForms(layout, identifier)
    newIdentifier = environment.newIdentifier
  }

  /// The tables that they need.
  static let tables = ValueCleaning.tables + TextForms.tables

  /// The files that a transaction writes; nil where the schema asks for none.
  func externalWrites() -> ExternalWrites? {
    guard cleaning != nil, let values else { return nil }
    return ExternalWrites(values, newIdentifier: newIdentifier)
  }

  /// Prepares the connection that writes: with functions and temporary triggers.
  func prepare(_ connection: Connection) throws(SQLiteError) {
    try derived.install(connection)
    for trigger in cleaning?.triggers ?? [] { try connection.execute(trigger) }
  }

  /// Takes back what `prepare` made, as before tables change.
  static func withdraw(from connection: Connection) throws(SQLiteError) {
    let find = try connection.prepare(
      "SELECT type, name FROM temp.sqlite_schema WHERE name LIKE 'contrail\\_%' ESCAPE '\\'")
    var drops: [String] = []
    // NB: triggers first, as they are of tables.
    while try find.step() {
      let kind = find.text(0)
      let drop = "DROP \(kind) temp.\(quoted(find.text(1)))"
      if kind == "trigger" {
        drops.insert(drop, at: 0)
      } else if kind == "table" {
        drops.append(drop)
      }
    }
    find.reset()
    for drop in drops { try connection.execute(drop) }
  }

  /// Looks after what a crash left behind.
  func lookAfter(
    _ connection: Connection, now: @autoclosure () -> Double
  ) throws(SQLiteError) {
    guard let cleaning else { return }
    try cleaning.sweepNew(connection)
    try cleaning.clean(connection, now: now())
  }
}

extension Store {
  /// Once, when the store is opened for writing.
  func installExtras() throws {
    try maintain { connection in
      try extras.prepare(connection)
      try extras.lookAfter(connection, now: environment.now().timeIntervalSinceReferenceDate)
    }
  }

  /// Runs `body` with the connection that writes, without history: for what can be derived again.
  func maintain<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    do {
      return try gate.write(body)
    } catch let error as SQLiteError {
      throw StoreError(error, location)
    }
  }
}

/// What a transaction did that objects in memory have to know once it is committed.
final class WriteOutcome {
  /// Slots whose values are in files now.
  var placed: [ExternalWrites.Placed] = []
  /// Objects with derived values that changed: numbers of entities, and keys.
  var derived: [DerivedPlan.ObjectKey] = []

  /// Brings the objects that `context` has up to it.
  func settle(in context: ModelContext) {
    let layouts = context.store.layout
    for place in placed {
      let layout = layouts.entities[place.entity]
      guard let object = context.registered(place.key, layout), let row = object.row,
        object.layout === layout, row.isPresent(place.slot)
      else { continue }
      let value = row.bytes(place.slot, layout)
      row.set(
        place.slot, BytesSlot(bytes: value.bytes, file: ExternalValue(name: place.name)), layout)
    }
    for object in derived {
      guard let layout = layouts.entity(number: object.entity) else { continue }
      context.registered(object.key, layout)?.turnIntoFault()
    }
  }
}
