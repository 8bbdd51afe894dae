public import DataModel

/// What it takes to bring a store from one version of its schema to another: what becomes of each
/// difference, the steps with their SQL, and what stands in the way.
///
/// ```swift
/// let plan = try Store.migrationPlan(at: path, to: schema)
/// for step in plan.steps { print(step) }
/// for problem in plan.problems { print(problem) }
/// ```
public struct MigrationPlan: Sendable {
  /// The schema that the store has.
  public let source: Schema
  /// The schema that is asked for.
  public let target: Schema
  /// Every difference, with what becomes of it and what data is lost.
  public let forecast: MigrationForecast
  /// What is done, in order; empty when only the kept schema is brought up to date.
  public let steps: [Step]
  /// What keeps the store from being migrated without a stage, all of it; empty when nothing does.
  public internal(set) var problems: [StoreError] = []
  /// What is asked of the data before and afterwards.
  let checks: [Check]
  /// Numbers and places once the plan has run.
  let catalogue: Catalogue
  /// Numbers of properties that history has to take in place of others, by an entity's number.
  let renumbered: [Int: [Int: Int]]
  /// How tables' keys go on: where each new table's next key comes from.
  let keySources: [String: [String]]
  /// Numbers of the entities whose keys are shifted.
  let shiftedEntities: [Int]
  /// The numbers of entities by the names that they had.
  let sourceNumbers: [String: Int]
  /// Where what the new schema has not is kept until a stage has ended.
  let removed: [RemovedProperty]
  /// What is dropped once a stage has ended.
  let leftovers: [String]

  /// One thing that is done.
  public struct Step: Sendable, Hashable {
    /// What it is about and what happens, as a line.
    public let title: String
    /// The statements, in order.
    public let sql: [String]
    /// Whether tables change; false where only indexes do.
    let changesTables: Bool
    /// The objects whose values the statements change, to be recorded in history beforehand.
    let changes: [ChangedRows]
  }

  /// Objects whose values a step changes: a select of their keys, what they are, and which property.
  struct ChangedRows: Sendable, Hashable {
    var keys: String
    var entity: Int
    var property: Int
  }

  /// A question to the data whose answer should be nothing.
  struct Check: Sendable, Hashable {
    /// The entity and property.
    var subject: String
    /// What is wrong when rows are found, with `{n}` for their number, `{one|several}` for words that
    /// depend on it, and `{x}` for an example.
    var message: String
    var fix: String
    /// Counts what is wrong, and gives one example, before anything runs.
    var before: String
    /// The same once the steps have run; nil where they leave nothing to be asked.
    var after: String?
  }

  /// A property, or a whole entity, of which the new schema has none.
  struct RemovedProperty: Sendable, Hashable {
    var entity: String
    var property: String
    var table: String
    var column: String
    /// What selects the entity's rows.
    var rows: String
    /// The column with the object's key: of a table of pairs it is another.
    var key = SystemColumn.key
    /// The entity's number where its objects' keys are shifted; else nil.
    var shifted: Int?
  }

  /// Whether nothing but the kept schema differs, and no table or index does.
  public var isEmpty: Bool { steps.isEmpty && renumbered.isEmpty }

  /// Whether the store can be used with the new schema as it is.
  var isCompatible: Bool { renumbered.isEmpty && !steps.contains(where: \.changesTables) }

  /// The number of an entity by the name that it had, where it is still there.
  func number(of entity: String) -> Int? { sourceNumbers[entity] }

  /// What an entity is called now; its old name where it is gone.
  func newName(of entity: String) -> String {
    let live = catalogue.entities.first { $0.isLive && $0.number == sourceNumbers[entity] }
    return live?.name ?? entity
  }

  /// Whether rows are written or moved, or columns go; else tables only gain some, or indexes.
  var changesRows: Bool {
    steps.contains { step in
      step.sql.contains { sql in Self.rowStatements.contains { sql.hasPrefix($0) } }
    } || !losses.isEmpty
  }

  private static let rowStatements = ["INSERT", "UPDATE", "DELETE", "DROP TABLE"]

  /// Which data would be gone afterwards.
  public var losses: [String] { forecast.steps.compactMap(\.loss) }
}

extension MigrationPlan.Step: CustomStringConvertible {
  /// The title, and the statements, each in a line.
  public var description: String { ([title] + sql.map { "  \($0);" }).joined(separator: "\n") }
}

extension MigrationPlan.Check {
  /// The message for a number of findings, with an example.
  func message(count: Int64, example: String) -> String {
    var rest = message[...]
    var text = ""
    while let open = rest.firstIndex(of: "{"),
      let close = rest[open...].firstIndex(of: "}")
    {
      text += rest[..<open]
      let word = rest[rest.index(after: open)..<close]
      let forms = word.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
      switch word {
      case "n": text += String(count)
      case "x": text += example
      case _ where forms.count == 2: text += forms[count == 1 ? 0 : 1]
      default: text += rest[open...close]
      }
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}

extension MigrationPlan {
  /// Whether values in files may be left that no row refers to once it has run.
  var mayLeaveValues: Bool {
    func external(_ schema: Schema) -> [String: Bool] {
      schema.attributeParts { $0.options.contains(.externalStorage) ? true : nil }
    }
    let before = external(source)
    return !before.isEmpty && (changesRows || external(target) != before)
  }

  /// Whether derived attributes may have other values once it has run.
  ///
  /// An expression that stays the same may mean another property that has taken a name over.
  var changesDerivedValues: Bool {
    let after = target.attributeParts(\.derivation)
    if after.isEmpty { return false }
    return changesRows || changesNames || after != source.attributeParts(\.derivation)
  }

  /// Whether a table or a column gets another name.
  private var changesNames: Bool {
    steps.contains { step in
      step.sql.contains { $0.hasPrefix("ALTER TABLE") && $0.contains(" RENAME ") }
    }
  }
}

extension Schema {
  /// What `part` finds of attributes, by the names of their owners and their own.
  func attributeParts<Part>(_ part: (Attribute) -> Part?) -> [String: Part] {
    var found: [String: Part] = [:]
    for entity in entities {
      for attribute in entity.attributes {
        found["\(entity.name).\(attribute.name)"] = part(attribute)
      }
    }
    for composite in composites {
      for attribute in composite.attributes {
        found["composite \(composite.name).\(attribute.name)"] = part(attribute)
      }
    }
    return found
  }
}
