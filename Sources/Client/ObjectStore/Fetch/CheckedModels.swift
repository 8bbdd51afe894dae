package import Foundation
import PredicateSQL

extension Array {
  /// Those of an entity's models that Swift finds a predicate true of; an error where Swift would trap.
  package func checked(
    by predicate: Predicate<Element>, _ entity: String
  ) throws -> [Element] {
    do {
      let predicate = try CheckedPredicate(predicate)
      return try filter { try predicate.isTrue(of: $0) }
    } catch let problem as QueryProblem {
      throw StoreError(problem, entity)
    }
  }
}
