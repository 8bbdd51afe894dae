public import DataModel
import FoundationEssentials
import SQLiteDriver

/// What the old version of a schema had and the new one has not, while a stage lasts.
///
/// ```swift
/// try scratch.forEach("LogEntry", ["origin"]) { identity, values in
///   guard let entry = context.object(identity), case .string(let code) = values[0] else { return }
///   try entry.setRelated("origin", airport(code))
/// }
/// ```
public final class MigrationScratch {
  private let connection: Connection
  private let store: Store
  private let removed: [StageState.Removed]

  init(_ connection: Connection, _ store: Store, _ removed: [StageState.Removed]) {
    self.connection = connection
    self.store = store
    self.removed = removed
  }

  /// What there is, as entity and property by their old names.
  public var properties: [(entity: String, property: String)] {
    removed.map { ($0.property.entity, $0.property.property) }
  }

  /// Calls `body` for each object that a to-many relationship led to, with the object that it led from;
  /// those of one object one after the other.
  public func forEachLink(
    _ entity: String, _ property: String,
    _ body: (_ from: ObjectIdentity, _ to: ObjectIdentity) throws -> Void
  ) throws {
    try forEach(entity, [property]) { identity, values in
      if case .objectID(let other)? = values.first { try body(identity, other) }
    }
  }

  /// Calls `body` for each object that an entity had, with the values of properties that are gone, in
  /// the order asked for; links are identities.
  ///
  /// A to-many relationship that has no inverse, or a many-to-many, is read alone, and once for each
  /// object that it led to. The identity is the one that the object has now. Of an object whose entity is gone it is the old
  /// one, which leads nowhere.
  public func forEach(
    _ entity: String, _ properties: [String],
    _ body: (ObjectIdentity, [FieldValue]) throws -> Void
  ) throws {
    let found = try properties.map { name -> StageState.Removed in
      guard
        let row = removed.first(where: {
          $0.property.entity == entity && $0.property.property == name
        })
      else {
        throw StoreError(
          .unknownProperty, "\(entity).\(name)", "was not removed by this stage",
          fix: "read it through the context, or name one of: "
            + removed.map { "\($0.property.entity).\($0.property.property)" }
            .joined(separator: ", "))
      }
      return row
    }
    guard let first = found.first else { return }
    if found.contains(where: { $0.property.table != first.property.table }) {
      throw StoreError(
        .wrongCardinality, "\(entity) (\(properties.joined(separator: ", ")))",
        "cannot be read together", fix: "read the to-many relationship with `forEachLink`")
    }
    let columns = found.map { quoted($0.property.column) }.joined(separator: ", ")
    let statement = try connection.prepare(
      """
      SELECT \(first.property.key), \(columns) FROM \(quoted(first.property.table)) \
      WHERE \(first.property.rows) ORDER BY 1, 2
      """)
    while try statement.step() {
      var key = statement.integer(0)
      if let number = first.property.shifted { key = store.movedKeys.current(number, key) }
      let values = try found.enumerated().map { index, row in
        try row.value(statement, Int32(index + 1), store)
      }
      let name = first.number.flatMap { store.layout.entity(number: $0)?.name } ?? entity
      try body(ObjectIdentity(store: store.identifier, entity: name, key: key), values)
    }
  }
}

/// How far a stage has come, as the store keeps it.
struct StageState {
  /// A property that is gone, and how its values are read.
  struct Removed {
    var property: MigrationPlan.RemovedProperty
    /// The attribute's type, or the entity at the other end.
    var type: String
    var isLink: Bool
    var number: Int?

    func value(
      _ statement: Statement, _ column: Int32, _ store: Store
    ) throws(StoreError) -> FieldValue {
      if statement.isNull(column) { return .null }
      if isLink {
        let number = store.layout.entity(type)?.number ?? 0
        let key = store.movedKeys.current(number, statement.integer(column))
        return .objectID(ObjectIdentity(store: store.identifier, entity: type, key: key))
      }
      let attribute = Schema.Attribute(name: "x", type: .init(rawValue: type), isOptional: true)
      let layout = StoreLayout(
        Schema(entities: [Schema.Entity(name: "X", attributes: [attribute])]),
        Self.catalogue(attribute))
      guard let entity = layout.entities.first else { return statement.value(column) }
      let row = Row(entity)
      defer { row.free(entity) }
      row.read(0, entity, from: statement, column)
      if attribute.type == .binaryData, statement.kind(column) == .text {
        let name = statement.text(column)
        guard let bytes = try store.extras.values?.read(name) else {
          throw .missingValueFile(name, "\(property.entity).\(property.property)")
        }
        return .data(bytes)
      }
      return row.value(0, entity)
    }

    private static func catalogue(_ attribute: Schema.Attribute) -> Catalogue {
      Catalogue().extended(
        for: Schema(entities: [Schema.Entity(name: "X", attributes: [attribute])]))
    }
  }

  enum Part: String {
    /// What runs before the change has run.
    case before
    /// The change is made; what runs after it has not run.
    case changed
  }

  var part: Part
  var source: String
  var target: String

  init(_ part: Part, _ stage: MigrationStages.Stage) {
    self.part = part
    source = stage.source.description
    target = stage.target.description
  }

  init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 3, let part = Part(rawValue: words[0]) else { return nil }
    (self.part, source, target) = (part, words[1], words[2])
  }

  var text: String { "\(part.rawValue) \(source) \(target)" }
}

/// The table that keeps what a stage still needs: what was removed, what is to be dropped, what is to be
/// asked at the end.
struct StageTable {
  let connection: Connection

  func write(_ plan: MigrationPlan) throws(SQLiteError) {
    try connection.execute(
      "CREATE TABLE contrail_stage (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, a, b, c, d, e, f, g, h, i)"
    )
    let layout = plan.source
    for property in plan.removed {
      let found = layout.slotType(property)
      try add(
        "removed", property.entity, property.property, property.table, property.column,
        property.rows, property.shifted.map(String.init) ?? "",
        found.isLink ? plan.newName(of: found.type) : found.type,
        (found.isLink ? "link " : "value ")
          + (plan.number(of: property.entity).map(String.init) ?? ""), property.key)
    }
    for sql in plan.leftovers { try add("leftover", sql) }
    for check in plan.checks {
      if let after = check.after {
        try add("check", check.subject, check.message, check.fix, after)
      }
    }
  }

  private func add(_ kind: String, _ values: String...) throws(SQLiteError) {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].prefix(values.count)
    let parameters = names.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
    let statement = try connection.prepare(
      """
      INSERT INTO contrail_stage (kind, \(names.joined(separator: ", "))) \
      VALUES (?1, \(parameters))
      """)
    statement.bind(1, kind)
    for (index, value) in values.enumerated() { statement.bind(Int32(index + 2), value) }
    try statement.run()
  }

  private func rows(_ kind: String) throws(SQLiteError) -> [[String]] {
    let statement = try connection.prepare(
      "SELECT a, b, c, d, e, f, g, h, i FROM contrail_stage WHERE kind = ?1 ORDER BY number")
    statement.bind(1, kind)
    var rows: [[String]] = []
    while try statement.step() { rows.append((0..<9).map { statement.text($0) }) }
    return rows
  }

  func removed() throws(SQLiteError) -> [StageState.Removed] {
    try rows("removed").map { row in
      let words = row[7].split(separator: " ")
      return StageState.Removed(
        property: MigrationPlan.RemovedProperty(
          entity: row[0], property: row[1], table: row[2], column: row[3], rows: row[4],
          key: row[8], shifted: Int(row[5])),
        type: row[6], isLink: words.first == "link", number: words.last.flatMap { Int($0) })
    }
  }

  func leftovers() throws(SQLiteError) -> [String] { try rows("leftover").map { $0[0] } }

  func checks() throws(SQLiteError) -> [MigrationPlan.Check] {
    try rows("check").map {
      MigrationPlan.Check(
        subject: $0[0], message: $0[1], fix: $0[2], before: "SELECT 0, NULL", after: $0[3])
    }
  }

  func drop() throws(SQLiteError) { try connection.execute("DROP TABLE contrail_stage") }
}

extension Schema {
  /// The type of a property's values, or where its links lead.
  fileprivate func slotType(_ property: MigrationPlan.RemovedProperty) -> (
    type: String, isLink: Bool
  ) {
    guard let entity = entity(property.entity) else { return ("", false) }
    for owner in [entity] + ancestors(of: entity) {
      if let link = owner.relationship(property.property) { return (link.destination, true) }
      if let leaf = leaves(of: owner.attributes).first(where: { $0.path == property.property }) {
        return (leaf.attribute.type.rawValue, false)
      }
    }
    return ("", false)
  }
}
