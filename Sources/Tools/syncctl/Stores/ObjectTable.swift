import CommandKit
import DataModel
import FoundationEssentials
import JSONStream
import ObjectStore
import PredicateSQL

/// One column of a table of objects.
struct ObjectColumn {
  let title: String
  let expression: QueryExpression

  /// A column that somebody has typed, such as `pilot.name`.
  init(typed text: String, _ entity: String, _ schema: Schema) throws(QueryTextError) {
    title = text
    do throws(QueryProblem) {
      expression = try QueryExpression(parsingPath: text, entity: entity, schema: schema)
    } catch {
      throw QueryTextError(text: text, problem: error)
    }
  }

  private init(_ title: String, _ expression: QueryExpression) {
    self.title = title
    self.expression = expression
  }

  /// All properties of an entity: attributes, then relationships, each by name.
  static func all(of entity: EntityLayout) -> [ObjectColumn] {
    entity.shownSlots.map { slot in
      var expression = QueryExpression.object
      for part in slot.name.split(separator: ".") { expression = .member(expression, String(part)) }
      let isToMany = slot.relationship?.schema.isToMany == true
      return ObjectColumn(slot.name, isToMany ? .count(expression) : expression)
    }
  }
}

extension ObjectColumn {
  fileprivate func value(for object: ManagedObject) throws(StoreError) -> FieldValue {
    do throws(QueryProblem) {
      return try expression.value(for: object)
    } catch {
      throw StoreError(.unsupportedPredicate, error.expression, error.message)
    }
  }
}

extension ModelContext {
  /// The identity with the entity that the object really is of: a relationship knows only an ancestor.
  func whole(_ identity: ObjectIdentity) throws -> ObjectIdentity {
    guard let entity = store.layout.entity(identity.entity), entity.family.count > 1 else {
      return identity
    }
    return try existingObject(identity)?.identity ?? identity
  }
}

extension EntityLayout {
  /// The slots that people know of.
  var shownSlots: [Slot] { slots.filter { !$0.name.hasSuffix(Slot.orderSuffix) } }
}

/// Objects in rows, and their properties in columns.
struct ObjectTable {
  /// How wide a cell of the text is at most.
  static let cellCharactersMax = 40

  let store: Store
  let entity: EntityLayout
  let columns: [ObjectColumn]
  private var rows: [(identity: ObjectIdentity, values: [FieldValue])] = []
  /// How many objects there are, shown or not.
  let total: Int

  init(
    _ objects: [ManagedObject], of entity: EntityLayout, in store: Store, columns: [ObjectColumn],
    total: Int
  ) throws {
    self.store = store
    self.entity = entity
    self.columns = columns
    self.total = total
    for object in objects {
      var values = try columns.map { try $0.value(for: object) }
      for (index, value) in values.enumerated() {
        guard case .objectID(let identity) = value, let context = object.modelContext else {
          continue
        }
        values[index] = .objectID(try context.whole(identity))
      }
      rows.append((object.queryIdentity, values))
    }
  }

  var text: String {
    let isFamily = entity.family.count > 1
    let head = [isFamily ? "object" : "key"] + columns.map(\.title)
    let lines = rows.map { row in
      [isFamily ? row.identity.short : String(row.identity.key)]
        + row.values.map { $0.cell.cut(to: Self.cellCharactersMax) }
    }
    let counts =
      rows.count < total
      ? "\(rows.count) of \(counted(total, "object"))" : counted(total, "object")
    return (rows.isEmpty ? "" : aligned([head] + lines, indent: "")) + counts + "\n"
  }

  var json: JSONValue {
    [
      "format": "contrail-objects-1", "store": .string(store.identifier.uuidString),
      "entity": .string(entity.name), "total": .integer(Int64(total)),
      "objects": .list(
        rows.map { row in
          let members = zip(columns, row.values).map { JSONMember($0.title, $1.json) }
          return [
            "entity": .string(row.identity.entity), "key": .integer(row.identity.key),
            "values": JSONValue(.object(members)),
          ]
        }),
    ]
  }
}

/// Text of a query that makes no sense, with a mark at the place.
struct QueryTextError: LocatedError {
  let text: String
  let problem: QueryProblem

  var report: String {
    var lines = ["syncctl: error: \(problem)"]
    if let position = problem.position, !text.contains(where: \.isNewline) {
      lines.append("  \(text.replacing("\t", with: " "))")
      lines.append("  " + String(repeating: " ", count: max(0, position - 1)) + "^")
    }
    return lines.joined(separator: "\n")
  }
}

extension ModelContext {
  /// Says what could not be read, if anything.
  func reportProblems(on console: Console) -> ExitCode {
    let problems = takeProblems()
    for problem in problems { console.writeError("\(problem.report)\n") }
    return problems.map(\.exitCode).max { $0.rawValue < $1.rawValue } ?? .ok
  }
}
