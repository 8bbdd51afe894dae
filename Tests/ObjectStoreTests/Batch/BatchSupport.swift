import DataModel
import Foundation
import PredicateSQL
import SQLiteDriver
import Testing

@testable import ObjectStore

/// A schema with every kind of relationship and rule that batches have to honour.
enum BatchSamples {
  typealias Rule = Schema.Relationship.DeleteRule

  /// Club <->> Member (cascade), Member <-> Card (one-to-one), Member <<->> Group (pairs), Member ->
  /// Member `mentor` <->> `pupils`; Guest inherits from Member.
  static func schema(
    members: Rule = .cascade, groups: Rule = .nullify, isClubOptional: Bool = true,
    isOrdered: Bool = false, maximum: Int = 0, minimum: Int = 0
  ) -> Schema {
    Schema(
      name: "Clubs",
      entities: [
        Schema.Entity(
          name: "Club",
          attributes: [Schema.Attribute(name: "name", type: .string, isOptional: true)],
          relationships: [
            Schema.Relationship(
              name: "members", destination: "Member", inverse: "club", isToMany: true,
              isOrdered: isOrdered, minimumCount: minimum, maximumCount: maximum,
              deleteRule: members)
          ]),
        Schema.Entity(
          name: "Member",
          attributes: [
            Schema.Attribute(
              name: "age", type: .integer16, defaultValue: .integer(18),
              validation: .init(minimum: "0", maximum: "150")),
            Schema.Attribute(
              name: "name", type: .string, isOptional: true, options: [.preservedOnDeletion]),
            Schema.Attribute(name: "code", type: .string, isOptional: true),
            Schema.Attribute(name: "fee", type: .decimal, isOptional: true),
            Schema.Attribute(name: "weight", type: .double, isOptional: true),
            Schema.Attribute(name: "joined", type: .date, isOptional: true),
            Schema.Attribute(name: "active", type: .boolean, defaultValue: .boolean(true)),
            Schema.Attribute(name: "token", type: .uuid, isOptional: true),
          ],
          relationships: [
            Schema.Relationship(
              name: "club", destination: "Club", inverse: "members", isOptional: isClubOptional),
            Schema.Relationship(name: "card", destination: "Card", inverse: "member"),
            Schema.Relationship(
              name: "groups", destination: "Group", inverse: "members", isToMany: true),
            Schema.Relationship(name: "mentor", destination: "Member", inverse: "pupils"),
            Schema.Relationship(
              name: "pupils", destination: "Member", inverse: "mentor", isToMany: true),
          ], indexes: [Schema.Index(name: "joined", elements: [.init("joined")])],
          uniquenessConstraints: [["code"]]),
        Schema.Entity(
          name: "Guest", parent: "Member",
          attributes: [Schema.Attribute(name: "until", type: .date, isOptional: true)]),
        Schema.Entity(
          name: "Card",
          attributes: [Schema.Attribute(name: "number", type: .integer64, isOptional: true)],
          relationships: [
            Schema.Relationship(name: "member", destination: "Member", inverse: "card")
          ]),
        Schema.Entity(
          name: "Group",
          attributes: [Schema.Attribute(name: "name", type: .string, isOptional: true)],
          relationships: [
            Schema.Relationship(
              name: "members", destination: "Member", inverse: "groups", isToMany: true,
              deleteRule: groups)
          ]),
      ])
  }

  static func store(_ schema: Schema = schema()) throws -> Store {
    try Store(at: .memory, schema: schema)
  }
}

extension Store {
  /// Every row of every table of objects and pairs, as text: `Member 1 v1 Guest name=…`.
  func wholeState() throws -> [String] {
    var lines: [String] = []
    try read { connection in
      let tables =
        layout.entities.filter { $0.root == $0.index }.map(\.table).sorted()
        + layout.pairTables.map(\.table).sorted()
      for table in tables {
        let statement = try connection.prepare("SELECT * FROM \(quoted(table)) ORDER BY 1, 2")
        while try statement.step() {
          var line = table
          for column in 0..<Int32(statement.columnCount) where !statement.isNull(column) {
            let value = statement.value(column).shown
            switch statement.columnName(column) {
            case SystemColumn.key: line += " \(value)"
            case SystemColumn.version: line += " v\(value)"
            case SystemColumn.entity:
              line += " \(layout.entity(number: Int(value) ?? 0)?.name ?? "?")"
            case let name: line += " \(name)=\(value)"
            }
          }
          lines.append(line)
        }
      }
    }
    return lines
  }

  /// The changes in history: `1 insert Member 1+2`, `2 update Member 1 [name]`.
  func wholeHistory() throws -> [String] {
    var lines: [String] = []
    let names = Dictionary(
      layout.catalogue.properties.map { ($0.number, $0.name) }, uniquingKeysWith: { $1 })
    try read { connection in
      let statement = try connection.prepare(
        """
        SELECT t.number, c.kind, c.entity, c.key, c.count, c.properties FROM contrail_change c \
        JOIN contrail_transaction t ON c.number >= t.first_change \
        AND c.number < t.first_change + t.change_count ORDER BY c.number
        """)
      while try statement.step() {
        let kind = ChangeKind(rawValue: statement.integer(1)).map { "\($0)" } ?? "?"
        let entity = layout.entity(number: Int(statement.integer(2)))?.name ?? "?"
        var line = "\(statement.integer(0)) \(kind) \(entity) \(statement.integer(3))"
        if kind == "insert" { line += "+\(statement.integer(4))" }
        if kind == "update" {
          let numbers = PropertyList.numbers(statement.bytes(5))
          line += " [\(numbers.map { names[$0] ?? "?" }.joined(separator: ", "))]"
        }
        lines.append(line)
      }
    }
    return lines
  }

  /// The keys that live by history, replayed from nothing, and those that the tables have.
  func checkHistory(_ comment: Comment? = nil) throws {
    var live: Set<String> = []
    var problems: [String] = []
    var tables: Set<String> = []
    try read { connection in
      let statement = try connection.prepare(
        "SELECT number, kind, entity, key, count FROM contrail_change ORDER BY number")
      var next: Int64 = 1
      while try statement.step() {
        if statement.integer(0) != next { problems.append("gap before \(statement.integer(0))") }
        next = statement.integer(0) + statement.integer(4)
        let entity = layout.entity(number: Int(statement.integer(2)))?.name ?? "?"
        for key in statement.integer(3)..<statement.integer(3) + statement.integer(4) {
          let object = "\(entity) \(key)"
          switch statement.integer(1) {
          case 1: if !live.insert(object).inserted { problems.append("inserted twice: \(object)") }
          case 2: if !live.contains(object) { problems.append("updated, not there: \(object)") }
          default:
            if live.remove(object) == nil { problems.append("deleted, not there: \(object)") }
          }
        }
      }
      for entity in layout.entities where entity.root == entity.index {
        let number = entity.entityNumber("t0")
        let rows = try connection.prepare(
          "SELECT \(number), _id FROM \(quoted(entity.table)) AS t0")
        while try rows.step() {
          let name = layout.entity(number: Int(rows.integer(0)))?.name ?? "?"
          tables.insert("\(name) \(rows.integer(1))")
        }
      }
      for entity in layout.entities {
        for slot in entity.slots {
          guard case .pairs(let pairs)? = slot.relationship?.place,
            let far = slot.relationship.map({ layout.entities[$0.destination] })
          else { continue }
          let dangling = try connection.prepare(
            """
            SELECT count(*) FROM \(quoted(pairs.table)) WHERE \(quoted(pairs.far)) NOT IN \
            (SELECT _id FROM \(quoted(far.table)))
            """)
          if try dangling.step(), dangling.integer(0) > 0 {
            problems.append("dangling pairs in \(pairs.table)")
          }
        }
      }
    }
    #expect(problems.isEmpty, comment)
    #expect(live == tables, comment)
  }

  /// The identity of an object.
  func identity(_ entity: String, _ key: Int64) -> ObjectIdentity {
    ObjectIdentity(store: identifier, entity: entity, key: key)
  }
}

/// A property compared with a value.
func compare(
  _ path: String, _ comparison: QueryExpression.Comparison, _ value: FieldValue
) -> QueryExpression {
  .compare(comparison, .property(path), .literal(value))
}
