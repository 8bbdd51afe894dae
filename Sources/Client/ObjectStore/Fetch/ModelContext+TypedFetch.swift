public import Foundation
import PredicateSQL

extension ModelContext {
  /// The models that `predicate` is true of, in the order of `sortBy`.
  ///
  /// What SQL can ask of the predicate it is asked; the rest is evaluated for the models found.
  public func fetch<Model: PersistentModel>(
    _ type: Model.Type, where predicate: Predicate<Model>? = nil,
    sortBy: [SortDescriptor<Model>] = [], limit: Int? = nil, offset: Int = 0
  ) throws -> [Model] {
    var request = try FetchRequest(type, where: predicate, sortBy: sortBy)
    guard let left = predicate, !isTranslated(left) else {
      request.limit = limit
      request.offset = offset
      return try models(request)
    }
    // The rest has to be evaluated before anything is cut off.
    let found = try models(request, of: type).checked(by: left, Model.detachedLayout.name)
    return Array(found.dropFirst(max(0, offset)).prefix(max(0, limit ?? .max)))
  }

  /// How many models `predicate` is true of.
  public func fetchCount<Model: PersistentModel>(
    _ type: Model.Type, where predicate: Predicate<Model>? = nil
  ) throws -> Int {
    if let predicate, !isTranslated(predicate) {
      return try fetch(type, where: predicate).count
    }
    return try fetchCount(FetchRequest(type, where: predicate))
  }

  /// The models of the objects that `request` asks for, which has to be about the model's entity.
  public func models<Model: PersistentModel>(
    _ request: FetchRequest, of type: Model.Type = Model.self
  ) throws -> [Model] {
    receiveChanges()
    return try reading {
      guard let query = try storedQuery(request) else {
        return try fetch(request).map { model(of: $0, as: type) }
      }
      var models = GatheredObjects()
      try forEachStored(query) { models.append(model(of: $0, as: type)) }
      return models.takeAll(as: type)
    }
  }

  /// Whether a predicate can be asked in SQL whole; tells why where it cannot.
  private func isTranslated<Model: PersistentModel>(_ predicate: Predicate<Model>) -> Bool {
    let problems = QueryTranslation(predicate, names: Model.queryNames).problems
    for problem in problems {
      store.environment.debugging.fetch("\(Model.detachedLayout.name): in memory: \(problem)")
    }
    return problems.isEmpty
  }
}

extension FetchRequest {
  /// Asks for a model's objects: what can be translated of the predicate, in the order given.
  public init<Model: PersistentModel>(
    _ type: Model.Type, where predicate: Predicate<Model>? = nil,
    sortBy: [SortDescriptor<Model>] = []
  ) throws(StoreError) {
    let name = Model.detachedLayout.name
    do throws(QueryProblem) {
      var sorts: [QuerySort] = []
      for descriptor in sortBy { sorts.append(try QuerySort(descriptor, names: Model.queryNames)) }
      self.init(
        name,
        where: predicate.flatMap { QueryTranslation($0, names: Model.queryNames).expression },
        sort: sorts)
    } catch {
      throw StoreError(error, name)
    }
  }
}
