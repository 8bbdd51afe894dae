import DataModel
import SQLiteDriver

/// The end of a relationship at objects that a batch deletes, which the temporary table `d` holds; `x`
/// are the related objects.
struct DoomedEnd {
  /// The relationship, as `Entity.name`.
  var name: String
  var rule: Schema.Relationship.DeleteRule
  /// The entity of the related objects.
  var destination: EntityLayout
  /// The slot at the other end; nil where there is none.
  var inverse: Slot?
  var place: Place
  /// The table of the objects that are deleted, and the numbers of their entities.
  private var layout: EntityLayout
  private var numbers: [Int]

  /// Where the relationship is kept, as far as others than the deleted objects keep it.
  enum Place {
    /// In the deleted objects' own column.
    case own(column: String)
    /// In a column of the related objects.
    case column(table: String, String, order: String?)
    case pairs(PairTable)
  }

  /// The ends at objects of the entities with these numbers.
  static func all(_ layout: StoreLayout, _ numbers: Set<Int>) -> [DoomedEnd] {
    layout.entities.flatMap { entity -> [DoomedEnd] in
      let own = entity.family.map { layout.entities[$0].number }.filter(numbers.contains)
      guard !own.isEmpty else { return [] }
      return entity.slots.indices.compactMap { DoomedEnd($0, entity, own, layout) }
    }
  }

  /// Nil for a slot that is no relationship, or that an ancestor declares.
  private init?(_ slot: Int, _ entity: EntityLayout, _ numbers: [Int], _ all: StoreLayout) {
    guard let relationship = entity.slots[slot].relationship, relationship.owner == entity.name
    else { return nil }
    name = "\(entity.name).\(entity.slots[slot].name)"
    rule = relationship.schema.deleteRule
    destination = all.entities[relationship.destination]
    inverse = entity.inverse(slot, all)
    layout = entity
    self.numbers = numbers
    switch relationship.place {
    case .ownColumn(let column, _):
      if case .ownColumn? = inverse?.relationship?.place {
        // Both ends are one relationship: whom an object refers to refers to it.
        place = .column(table: entity.table, column, order: nil)
      } else {
        place = .own(column: column)
      }
    case .farColumn(let table, let column, let order):
      // The order is kept beside the column, whether this end reads it or not.
      var kept = order
      if case .ownColumn(_, let own)? = inverse?.relationship?.place { kept = own }
      place = .column(table: table, column, order: kept)
    case .pairs(let pairs): place = .pairs(pairs)
    }
  }

  /// What selects the deleted objects of this end.
  private var isOwn: String {
    "d.root = \(layout.root) AND d.entity IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }

  /// The keys of the deleted objects.
  var doomedKeys: String { "SELECT d.key FROM \(BatchDeleting.table) AS d WHERE \(isOwn)" }

  /// Whether a related object is not deleted itself.
  func isLeft(_ key: String) -> String {
    """
    NOT EXISTS (SELECT 1 FROM \(BatchDeleting.table) AS e \
    WHERE e.root = \(destination.root) AND e.key = \(key))
    """
  }

  /// `FROM …`: the deleted objects `d` and their related ones `x`, as far as `condition` is true.
  func related(_ condition: String) -> String {
    // CROSS JOIN keeps the order of the tables: from the few that are deleted to what is theirs.
    let from: String
    switch place {
    case .own(let column):
      from = """
        \(BatchDeleting.table) AS d CROSS JOIN \(quoted(layout.table)) AS o ON o._id = d.key \
        CROSS JOIN \(quoted(destination.table)) AS x ON x._id = o.\(quoted(column))
        """
    case .column(let table, let column, _):
      from = """
        \(BatchDeleting.table) AS d CROSS JOIN \(quoted(table)) AS x ON x.\(quoted(column)) = d.key
        """
    case .pairs(let pairs):
      from = """
        \(BatchDeleting.table) AS d CROSS JOIN \(quoted(pairs.table)) AS p \
        ON p.\(quoted(pairs.near)) = d.key \
        CROSS JOIN \(quoted(destination.table)) AS x ON x._id = p.\(quoted(pairs.far))
        """
    }
    return "\(from) WHERE \(isOwn) AND \(condition)"
  }
}

/// Objects that lose some of their related objects, where the schema says how many they must have.
struct DeletionCounts {
  private var touched: [(end: DoomedEnd, inverse: Slot, keys: [Int64])] = []

  init(_ batch: BatchDeleting, _ ends: [DoomedEnd]) throws {
    for end in ends {
      guard let inverse = end.inverse, let schema = inverse.relationship?.schema,
        schema.isToMany, schema.minimumCount > 0, end.rule != .noAction || end.isOwnColumn
      else { continue }
      let keys = try batch.numbers("SELECT DISTINCT x._id FROM \(end.related(end.isLeft("x._id")))")
      if !keys.isEmpty { touched.append((end, inverse, keys.map(Int64.init))) }
    }
  }

  /// Throws where an object has too few by now.
  func check(_ batch: BatchDeleting) throws {
    var failures = BatchFailures()
    for (end, inverse, keys) in touched {
      guard let relationship = inverse.relationship else { continue }
      let (table, column) = relationship.place.keyColumn
      let schema = relationship.schema
      let statement = try batch.connection.prepare(
        """
        SELECT count(*) FROM (SELECT (SELECT count(*) FROM \(quoted(table)) AS p \
        WHERE p.\(quoted(column)) = k.value) AS n FROM json_each(?1) AS k) \
        WHERE n < ?2 AND (n > 0 OR ?3)
        """)
      statement.bind(1, KeyList.text(keys))
      statement.bind(2, Int64(schema.minimumCount))
      statement.bind(3, schema.isOptional ? 0 : 1 as Int64)
      guard try statement.step(), statement.integer(0) > 0 else { continue }
      failures.add(
        StoreError(
          .tooFew, "\(end.destination.name).\(inverse.name)",
          "\(counted(Int(clamping: statement.integer(0)), "object")) would have less than "
            + counted(schema.minimumCount, "object"),
          fix: "delete them too, or give them others first"))
    }
    try failures.check("delete")
  }
}

extension DoomedEnd {
  /// Whether the related objects have the keys, in a column.
  var isReferredTo: Bool {
    if case .column = place { return true }
    return false
  }

  fileprivate var isOwnColumn: Bool {
    if case .own = place { return true }
    return false
  }
}

extension SQLRelationshipPlace {
  /// The table and the column that hold the keys of the objects at this end.
  fileprivate var keyColumn: (table: String, column: String) {
    switch self {
    case .ownColumn(let column, _): ("", column)
    case .farColumn(let table, let column, _): (table, column)
    case .pairs(let pairs): (pairs.table, pairs.near)
    }
  }
}
