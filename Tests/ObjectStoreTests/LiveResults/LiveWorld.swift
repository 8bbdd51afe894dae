import DataModel
import Foundation
import PredicateSQL
import Testing

@testable import ObjectStore

extension ResultsObserver where Element == ManagedObject {
  /// The names of the objects, in order.
  var names: [String] { results.map(\.name) }

  /// The identities of the objects, in order.
  var identities: [ObjectIdentity] { results.map(\.queryIdentity) }

  /// The sections with their objects, in one line each.
  var shownSections: [String]? {
    sections?.map { "\($0.title): \($0.map(\.name).joined(separator: " "))" }
  }
}

extension ResultsUpdate {
  /// The update in one line: what came, went, moved and changed, by keys and places.
  var line: String {
    var parts = difference.inserted.map { "+\($0.identity.key)@\($0.index)" }
    parts += difference.removed.map { "-\($0.identity.key)@\($0.index)" }
    parts += difference.moved.map { ">\($0.identity.key)@\($0.from)-\($0.to)" }
    parts += difference.updated.map { "~\($0.identity.key)@\($0.index)" }
    parts += difference.saved.map { "=\($0.new.key)" }
    if sectionsChanged { parts.append("sections") }
    if let error { parts.append(error.code.rawValue) }
    return "\(number): " + parts.joined(separator: " ")
  }
}

extension ModelContext {
  /// A new pilot.
  @discardableResult
  func pilot(_ name: String, _ hours: Int64) throws -> ManagedObject {
    let object = try make("Pilot", name)
    try object.setValue("hours", .integer(hours))
    return object
  }
}

extension FetchRequest {
  /// Pilots by name.
  static var pilots: FetchRequest {
    FetchRequest("Pilot", sort: [QuerySort(.property("name"))])
  }
}

extension QueryExpression {
  static func hours(_ comparison: Comparison, _ hours: Int64) -> QueryExpression {
    .compare(comparison, .property("hours"), .literal(.integer(hours)))
  }
}
