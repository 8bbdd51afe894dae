import DataModel
import FoundationEssentials
import SQLiteDriver

extension Store {
  /// How many hits a search gives at most.
  public static let searchHitsMax = 1000
  /// How many words a snippet has, about.
  static let snippetWords = 16

  /// Which words a search finds.
  public enum SearchWords: Hashable, Sendable, CaseIterable {
    /// Whole words; one that ends with a star may be the beginning of a word.
    case whole
    /// Words that begin as what was typed, for results while typing.
    case beginnings
  }

  /// Finds objects by the words of their attributes marked `.spotlight`, the best first.
  ///
  /// `text` is what a person typed: all words have to be in the object, words in quotation marks behind
  /// one another; case and accents do not count. Nothing in it can be wrong. The search index is brought
  /// up to the last commit before, unless `isCurrent` is false.
  ///
  /// ```swift
  /// let hits = try store.search("sandwich isl*", in: ["Quake"], limit: 20)
  /// ```
  public func search(
    _ text: String, in entities: [String]? = nil, words: SearchWords = .whole, limit: Int = 50,
    isCurrent: Bool = true
  ) throws -> [SearchHit] {
    let plan = searchIndexer.searchPlan
    let wanted = try searched(entities, plan)
    let displays = try wanted.map { try displaySQL($0) }
    guard let match = SearchQuery(text, prefixes: words == .beginnings).match, limit > 0 else {
      return []
    }
    if isCurrent { try searchIndexer.catchUp(self) }
    let rows = SearchRows(
      plan: plan, store: identifier,
      wanted: Dictionary(
        zip(wanted.map(\.index), zip(wanted, displays).map { ($0, $1) }),
        uniquingKeysWith: { first, _ in first }))
    return try read { connection in
      guard try SearchPosition.read(connection) != nil else { return [] }
      return try rows.hits(match, limit: min(limit, Self.searchHitsMax), connection)
    }
  }

  /// The concrete entities to search: those asked for, with all that inherit from them.
  private func searched(_ names: [String]?, _ plan: SearchPlan) throws(StoreError)
    -> [EntityLayout]
  {
    var wanted: [EntityLayout] = []
    for name in names ?? layout.entities.map(\.name) {
      guard let entity = layout.entity(name) else {
        throw .unknownEntity(name, among: layout.entities.map(\.name))
      }
      let family = entity.family.filter { !plan.slots[$0].isEmpty }
      if family.isEmpty && names != nil {
        throw StoreError(
          .invalidFetch, name, "has no attribute that is searched",
          fix: "mark one as .spotlight")
      }
      wanted += family.map { layout.entities[$0] }
    }
    if wanted.isEmpty && names == nil {
      throw StoreError(
        .invalidFetch, "search", "no attribute of the schema is searched",
        fix: "mark one as .spotlight")
    }
    return wanted
  }

  /// What gives an object's name in results, as SQL; nil where the entity has none.
  private func displaySQL(_ entity: EntityLayout) throws(StoreError) -> String? {
    let chain = [entity.schema] + layout.schema.ancestors(of: entity.schema)
    guard let expression = chain.lazy.compactMap(\.searchDisplayName).first else { return nil }
    guard let derivation = Derivation(expression), case .path(nil) = derivation.kind,
      let path = try? StoredPath(
        derivation.path, from: entity, layout, endsInRelationship: false),
      path.slot != nil
    else {
      throw StoreError(
        .invalidFetch, "\(entity.name).searchDisplayName",
        "\"\(expression)\" is no attribute, nor one that to-one relationships lead to",
        fix: "name an attribute, such as \"title\" or \"folder.title\"")
    }
    return path.valueSQL
  }
}

/// Reads hits from the index.
struct SearchRows {
  let plan: SearchPlan
  let store: UUID
  /// The concrete entities that are wanted, by their positions, with what gives their names.
  let wanted: [Int: (EntityLayout, String?)]

  func hits(_ match: String, limit: Int, _ connection: Connection) throws(SQLiteError)
    -> [SearchHit]
  {
    let roots = Set(wanted.values.map { $0.0.root }).sorted().map { plan.layout.entities[$0] }
    let ranges = roots.map { plan.rows(of: $0) }
    let terms = ranges.map { "rowid BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
    let snippets = (0..<plan.columnCount).map { column -> String in
      "snippet(contrail_search, \(column), char(2), char(3), '…', \(Store.snippetWords))"
    }
    // NB: snippets of rows that are found, not of all that fit: they are made from the text.
    let rows = try connection.statement(
      """
      SELECT rowid, rank FROM contrail_search WHERE contrail_search MATCH ?1 \
      AND (\(terms.joined(separator: " OR "))) ORDER BY rank, rowid
      """)
    let details = try connection.statement(
      """
      SELECT \(snippets.joined(separator: ", ")) FROM contrail_search \
      WHERE contrail_search MATCH ?1 AND rowid = ?2
      """)
    rows.bind(1, match)
    defer { rows.reset() }
    var hits: [SearchHit] = []
    while hits.count < limit, try rows.step() {
      let number = rows.integer(0)
      guard let object = plan.object(number),
        let found = try read(object.root, object.key, connection)
      else { continue }
      details.bind(1, match)
      details.bind(2, number)
      defer { details.reset() }
      guard try details.step() else { continue }
      let texts = (0..<plan.columnCount).map { details.text(Int32($0)) }
      let column = texts.firstIndex { $0.contains(SearchHit.open) } ?? 0
      hits.append(
        SearchHit(
          identity: ObjectIdentity(store: store, entity: found.entity.name, key: object.key),
          rank: rows.double(1), displayName: found.name,
          property: plan.names(found.entity, column: column).first ?? "",
          snippet: SearchHit.parts(texts[column])))
    }
    return hits
  }

  /// The entity and the name of an object; nil when it is gone, or of an entity that is not wanted.
  private func read(_ root: EntityLayout, _ key: Int64, _ connection: Connection)
    throws(SQLiteError) -> (entity: EntityLayout, name: String?)?
  {
    guard let entity = try concrete(root, key, connection), let row = wanted[entity.index] else {
      return nil
    }
    guard let display = row.1 else { return (entity, nil) }
    let statement = try connection.statement(
      "SELECT \(display) FROM \(quoted(entity.table)) AS t0 WHERE t0._id = ?1")
    statement.bind(1, key)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return (entity, nil) }
    return (entity, statement.text(0))
  }

  private func concrete(_ root: EntityLayout, _ key: Int64, _ connection: Connection)
    throws(SQLiteError) -> EntityLayout?
  {
    let column = root.sharesTable ? SystemColumn.entity : "NULL"
    let statement = try connection.statement(
      "SELECT \(column) FROM \(quoted(root.table)) WHERE _id = ?1")
    statement.bind(1, key)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return root.sharesTable ? plan.layout.entity(number: Int(clamping: statement.integer(0))) : root
  }
}
