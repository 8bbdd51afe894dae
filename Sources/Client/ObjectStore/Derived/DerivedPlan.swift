import DataModel
public import SQLiteDriver

/// The derived attributes of a store.
///
/// Temporary triggers of the connection that writes note which objects may have another value, whoever
/// writes and however; before the commit each attribute is computed for them by one statement. A schema
/// without derived attributes has neither triggers nor statements.
struct DerivedPlan: Sendable {
  let attributes: [DerivedAttribute]
  /// What is wrong with expressions that cannot be computed.
  let failures: [StoreError]
  private let updates: [String]

  /// An object, as history names it.
  struct ObjectKey: Hashable, Sendable {
    var entity: Int
    var key: Int64
  }

  init(_ layout: StoreLayout) {
    var attributes: [DerivedAttribute] = []
    var failures: [StoreError] = []
    for entity in layout.entities {
      let inherited = Set(
        entity.schema.parent.flatMap(layout.entity)?.slots.map(\.name) ?? [])
      for index in entity.derivedSlots where !inherited.contains(entity.slots[index].name) {
        let slot = entity.slots[index]
        guard let expression = slot.attribute?.derivation else { continue }
        do {
          attributes.append(try DerivedAttribute(entity, slot, expression, layout))
        } catch {
          failures.append(
            StoreError(
              .invalidDerivation, "\(entity.name).\(slot.name)", error.words,
              fix: "change the attribute's derivation expression"))
        }
      }
    }
    self.attributes = attributes
    self.failures = failures
    updates = attributes.map { $0.updateSQL(layout) }
    triggers = attributes.flatMap { $0.triggers(layout) }
  }

  private let triggers: [String]

  /// Throws for all expressions that cannot be computed; for a schema that has no store yet.
  static func check(_ schema: Schema) throws(StoreError) {
    guard schema.hasDerivations else { return }
    let plan = DerivedPlan(StoreLayout(schema, Catalogue().extended(for: schema)))
    guard let first = plan.failures.first else { return }
    throw plan.failures.count == 1
      ? first
      : StoreError(
        .invalidDerivation, schema.name, "\(plan.failures.count) attributes cannot be derived",
        failures: plan.failures)
  }

  func install(_ connection: Connection) throws(SQLiteError) {
    if attributes.isEmpty { return }
    try DerivedFunctions.add(to: connection)
    try connection.execute(
      """
      CREATE TEMP TABLE contrail_derived_due (attribute INTEGER NOT NULL, key INTEGER NOT NULL, \
      PRIMARY KEY (attribute, key)) WITHOUT ROWID
      """)
    for trigger in triggers { try connection.execute(trigger) }
  }

  /// Computes what is due; returns the objects that have other values now, with the numbers of the
  /// properties, in the order in which they were met.
  func derive(_ connection: Connection, time: Double) throws(SQLiteError) -> Changes {
    var changes = Changes()
    if attributes.isEmpty { return changes }
    let due = try connection.statement("SELECT DISTINCT attribute FROM contrail_derived_due")
    var numbers: Set<Int> = []
    while try due.step() { numbers.insert(Int(clamping: due.integer(0))) }
    due.reset()
    if numbers.isEmpty { return changes }
    for (attribute, update) in zip(attributes, updates) where numbers.contains(attribute.number) {
      let statement = try connection.statement(update)
      statement.bind(1, Int64(attribute.number))
      if attribute.derivation.kind == .now { statement.bind(2, time) }
      while try statement.step() {
        let entity =
          attribute.entity.sharesTable
          ? Int(clamping: statement.integer(1)) : attribute.entity.number
        changes.note(ObjectKey(entity: entity, key: statement.integer(0)), attribute.number)
      }
      statement.reset()
    }
    try connection.statement("DELETE FROM contrail_derived_due").run()
    return changes
  }

  /// Objects whose derived values changed.
  struct Changes {
    private(set) var objects: [(object: ObjectKey, properties: [Int])] = []
    private var places: [ObjectKey: Int] = [:]

    mutating func note(_ object: ObjectKey, _ property: Int) {
      if let place = places[object] {
        objects[place].properties.append(property)
      } else {
        places[object] = objects.count
        objects.append((object, [property]))
      }
    }
  }
}

extension WriteTransaction {
  /// Has every derived attribute computed for every object before the commit, as after a migration that
  /// added some.
  ///
  /// The time at which an object was written stays where there is one.
  public func deriveAll() throws(SQLiteError) {
    for attribute in extras?.derived.attributes ?? [] {
      let isTime = attribute.derivation.kind == .now
      let rows = isTime ? " WHERE \(quoted(attribute.slot.column ?? "")) IS NULL" : ""
      try connection.execute(
        """
        INSERT OR IGNORE INTO contrail_derived_due SELECT \(attribute.number), _id \
        FROM \(quoted(attribute.entity.table))\(rows)
        """)
    }
  }
}

extension Schema {
  fileprivate var hasDerivations: Bool {
    entities.contains { $0.attributes.contains { $0.derivation != nil } }
      || composites.contains { $0.attributes.contains { $0.derivation != nil } }
  }
}
