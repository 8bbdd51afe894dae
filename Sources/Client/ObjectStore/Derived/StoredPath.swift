import DataModel

/// A way from an entity over relationships to an attribute, in terms of tables.
struct StoredPath: Sendable {
  /// Rows that join objects to related ones.
  struct Link: Sendable {
    var table: String
    /// The column with the key of the object that one comes from.
    var near: String
    /// The column with the key of the related object.
    var far: String
    /// Whether it is in the row of the object that one comes from.
    var isOwnColumn: Bool
  }

  var links: [Link] = []
  /// The entity at the end, and the slot of the attribute in it; nil where the path ends with
  /// a relationship.
  var target: EntityLayout
  var slot: Slot?

  /// Follows `names` from `entity`; throws half a sentence about what is wrong.
  init(
    _ names: [String], from entity: EntityLayout, _ layout: StoreLayout, endsInRelationship: Bool
  )
    throws(Problem)
  {
    target = entity
    var rest = names[...]
    while let name = rest.first {
      // A member of a composite attribute has a name with dots.
      let whole = rest.joined(separator: ".")
      if let index = target.slot(whole), target.slots[index].attribute != nil {
        slot = target.slots[index]
        rest = []
        break
      }
      guard let index = target.slot(name), let relationship = target.slots[index].relationship
      else {
        throw Problem("\(target.name) has no property \(name)")
      }
      links.append(Link(relationship.place, target))
      target = layout.entities[relationship.destination]
      rest = rest.dropFirst()
      let isLastOfAggregate = endsInRelationship && links.count == 1
      if relationship.schema.isToMany != isLastOfAggregate {
        throw Problem(
          relationship.schema.isToMany
            ? "\(name) leads to many objects: say what is made of them"
            : "\(name) leads to one object at most")
      }
    }
    if let slot {
      guard slot.column != nil else { throw Problem("\(slot.name) is not stored") }
      guard slot.attribute?.derivation == nil else {
        throw Problem("\(slot.name) is derived itself: name what it is derived from")
      }
      if slot.attribute?.options.contains(.externalStorage) == true && slot.kind == .bytes {
        throw Problem("\(slot.name) is stored outside of the row")
      }
    }
  }

  /// What is wrong with a path, as half a sentence.
  struct Problem: Error {
    var words: String
    init(_ words: String) { self.words = words }
  }
}

extension StoredPath.Link {
  init(_ place: SQLRelationshipPlace, _ entity: EntityLayout) {
    switch place {
    case .ownColumn(let column, _):
      self.init(table: entity.table, near: SystemColumn.key, far: column, isOwnColumn: true)
    case .farColumn(let table, let column, _):
      self.init(table: table, near: column, far: SystemColumn.key, isOwnColumn: false)
    case .pairs(let pairs):
      self.init(table: pairs.table, near: pairs.near, far: pairs.far, isOwnColumn: false)
    }
  }
}

extension StoredPath {
  /// The attribute's value for the row with the alias `t0`, as SQL.
  var valueSQL: String {
    let column = quoted(slot?.column ?? SystemColumn.key)
    if links.isEmpty { return "t0.\(column)" }
    var key = "t0.\(quoted(SystemColumn.key))"
    for (index, link) in links.enumerated() {
      if index == 0 && link.isOwnColumn {
        key = "t0.\(quoted(link.far))"
      } else {
        let alias = "l\(index)"
        key = """
          (SELECT \(alias).\(quoted(link.far)) FROM \(quoted(link.table)) AS \(alias) \
          WHERE \(alias).\(quoted(link.near)) = \(key) LIMIT 1)
          """
      }
    }
    return """
      (SELECT v.\(column) FROM \(quoted(target.table)) AS v \
      WHERE v.\(quoted(SystemColumn.key)) = \(key))
      """
  }

  /// The keys of the objects at the start that reach `key` behind `count` links, as a query.
  func startKeys(of key: String, behind count: Int) -> String {
    var keys = "SELECT \(key)"
    for index in (0..<count).reversed() {
      let link = links[index]
      keys = """
        SELECT l\(index).\(quoted(link.near)) FROM \(quoted(link.table)) AS l\(index) \
        WHERE l\(index).\(quoted(link.far)) IN (\(keys))
        """
    }
    return keys
  }
}
