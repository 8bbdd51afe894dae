import DataModel
package import PredicateSQL

/// What SQL does for a fetch, and what is left to do in memory.
struct FetchPlan {
  /// What SQL is asked for.
  var query: StoredQuery
  /// What has to be true of an object besides, for those that the store finds.
  var remainder: [QueryExpression]
  /// Why that is not asked in SQL.
  var problems: [QueryProblem]
  /// Whether the store's order is the one that is asked for.
  var isSorted: Bool

  init(
    _ request: FetchRequest, _ layout: StoreLayout, _ model: SQLModel, isAllInMemory: Bool = false
  ) throws(StoreError) {
    guard let entity = layout.entity(request.entity) else {
      throw .unknownEntity(request.entity, among: layout.entities.map(\.name))
    }
    if let limit = request.limit, limit < 0 {
      throw StoreError(.invalidFetch, request.entity, "the limit \(limit) is negative")
    }
    if request.offset < 0 {
      throw StoreError(.invalidFetch, request.entity, "the offset \(request.offset) is negative")
    }
    query = StoredQuery(layout: entity, includesSubentities: request.includesSubentities)
    remainder = []
    problems = []
    isSorted = true
    do throws(QueryProblem) {
      let sql = try SQLQuery(model, entity: entity.name)
      if let filter = request.filter {
        try Self.check(filter, entity, layout)
        if isAllInMemory {
          remainder = filter.conjuncts
        } else {
          let split = sql.split(filter)
          query.filter = split.condition
          remainder = split.remainder
          problems = split.problems
        }
      }
      do throws(QueryProblem) {
        var order = try sql.order(request.sort)
        // Equal objects come by key, so that a limit always cuts at the same place. All objects come
        // by key anyway, unless SQLite prefers an index.
        order.sql += (order.sql.isEmpty ? "" : ", ") + "t0._id"
        query.order = order
      } catch {
        problems.append(error)
        isSorted = false
      }
    } catch {
      throw StoreError(error, entity.name)
    }
  }

  /// Names that are not there are errors at once, not only when objects are looked at.
  private static func check(
    _ filter: QueryExpression, _ entity: EntityLayout, _ layout: StoreLayout
  ) throws(QueryProblem) {
    for name in filter.ownMembers where !entity.hasMember(name, in: layout) {
      throw QueryProblem(
        .unknownProperty, in: "\(entity.name).\(name)", "the entity has no such property")
    }
  }
}

extension QueryExpression {
  /// The names of the object's own properties that the expression mentions.
  var ownMembers: Set<String> {
    var names: Set<String> = []
    var waiting = [self]
    while let next = waiting.popLast() {
      if case .member(.variable(0), let name) = next { names.insert(name) }
      waiting += next.children
    }
    return names
  }

  /// Whether the expression looks beyond the object's own attributes.
  var mentionsOtherObjects: Bool {
    var waiting = [self]
    while let next = waiting.popLast() {
      switch next {
      case .member(.member, _), .exists, .all, .filter, .map, .aggregate, .asEntity: return true
      case .flatMap(_, _, let body) where body.children.count > 0: return true
      default: waiting += next.children
      }
    }
    return false
  }
}

extension EntityLayout {
  /// Whether an object of the entity, or of one that inherits from it, has that property or composite.
  fileprivate func hasMember(_ name: String, in layout: StoreLayout) -> Bool {
    family.contains { index in
      layout.entities[index].slots.contains {
        $0.name == name || $0.name.hasPrefix(name + ".")
      }
    } || slots.contains { $0.name == name }
  }
}

extension StoreError {
  /// A query that cannot be asked.
  package init(_ problem: QueryProblem, _ entity: String) {
    let code: Code =
      switch problem.code {
      case .unknownProperty: .unknownProperty
      case .evaluationFailed: .outOfRange
      default: .unsupportedPredicate
      }
    self.init(
      code, entity, "\(problem)",
      fix: code == .outOfRange ? "leave such objects out, by a condition before it" : nil)
  }
}
