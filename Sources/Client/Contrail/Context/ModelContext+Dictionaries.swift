import Foundation
import ObjectStore

extension ModelContext {
  /// Some properties of the models that a descriptor asks for, as values that may go anywhere, without
  /// making models.
  ///
  /// ```swift
  /// let rows = try context.fetchDictionaries(newest, properties: [\.place, \.magnitude])
  /// print(rows.first?["place"] as? String ?? "")
  /// ```
  ///
  /// A value that is missing is left out; a related model is its identifier, an enumeration its raw value.
  /// Changes that are not saved cannot count: where there are any, the descriptor has to say so.
  public func fetchDictionaries<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, properties: [PartialKeyPath<T>]
  ) throws -> [[String: any Sendable]] {
    let part = try part(askedFor: descriptor)
    let whole = try DescriptorPlan(descriptor, core).wholeRequest()
    let names = try properties.flatMap { try DescriptorPlan<T>.columnNames($0) }
    var request = DictionaryRequest(whole.entity, names.map { .property($0) }, where: whole.filter)
    request.sort = whole.sort
    request.limit = whole.limit
    request.offset = whole.offset
    request.includesPendingChanges = whole.includesPendingChanges
    let known = T._$plan.properties
    return try part.fetchDictionaries(request).map { row in
      var values: [String: any Sendable] = [:]
      for (name, value) in row {
        values[name] = value.plain(as: known.property(name)?.kind)
      }
      return values
    }
  }
}

extension DescriptorPlan {
  /// The request, where the store can do all of it.
  fileprivate func wholeRequest() throws -> FetchRequest {
    if isWhole { return request }
    throw SwiftDataError(
      SwiftDataError.unsupportedPredicate.code, T._$plan.entityName,
      "is asked for by what the store cannot be asked",
      fix: "compare stored properties, with values that are captured before")
  }
}
