import Foundation
import ObjectStore

/// The part of history that a predicate may be true of, as far as a store can be asked for it: what a
/// token, an author or a moment say, where they have to hold.
///
/// The predicate is still evaluated for what is found there.
struct HistoryNarrowing {
  typealias Transaction = DefaultHistoryTransaction

  /// How far beyond a moment is looked, in seconds, so that none is lost by rounding.
  static let slack: TimeInterval = 1

  fileprivate(set) var token: DefaultHistoryToken?
  fileprivate(set) var authors: Set<String>?
  fileprivate(set) var earliest: Date?
  fileprivate(set) var latest: Date?

  init(_ predicate: Predicate<Transaction>?) {
    var waiting: [any PredicateExpression] = []
    if let predicate { waiting.append(predicate.expression) }
    while let next = waiting.popLast() {
      if let parts = (next as? any HistoryConjunction)?.parts {
        waiting += parts
      } else {
        (next as? any HistoryCondition)?.narrow(&self)
      }
    }
  }

  /// What to ask a store for.
  func request(_ store: Store) -> HistoryRequest {
    var request = HistoryRequest()
    if let place = token?.place(in: store) {
      request.after = .token(place)
    } else {
      request.after = earliest.map { .date($0 - Self.slack) }
    }
    request.before = latest.map { .date($0 + Self.slack) }
    request.authors = authors
    return request
  }
}

/// Conditions that all have to be true.
private protocol HistoryConjunction {
  var parts: [any PredicateExpression] { get }
}

extension PredicateExpressions.Conjunction: HistoryConjunction {
  fileprivate var parts: [any PredicateExpression] { [lhs, rhs] }
}

/// A condition that may say which part of history is meant.
private protocol HistoryCondition {
  func narrow(_ narrowing: inout HistoryNarrowing)
}

/// A property of the transaction that a predicate is about.
private typealias Asked<Value> = PredicateExpressions.KeyPath<
  PredicateExpressions.Variable<HistoryNarrowing.Transaction>, Value
>

extension PredicateExpressions.Comparison: HistoryCondition {
  fileprivate func narrow(_ narrowing: inout HistoryNarrowing) {
    let isAbove = op == .greaterThan || op == .greaterThanOrEqual
    if let asked = lhs as? Asked<DefaultHistoryToken>,
      let bound = rhs as? PredicateExpressions.Value<DefaultHistoryToken>,
      asked.keyPath == \HistoryNarrowing.Transaction.token, op == .greaterThan
    {
      narrowing.token = bound.value
    }
    if let asked = lhs as? Asked<Date>, let bound = rhs as? PredicateExpressions.Value<Date>,
      asked.keyPath == \HistoryNarrowing.Transaction.timestamp
    {
      if isAbove {
        narrowing.earliest = max(narrowing.earliest ?? bound.value, bound.value)
      } else {
        narrowing.latest = min(narrowing.latest ?? bound.value, bound.value)
      }
    }
  }
}

extension PredicateExpressions.Equal: HistoryCondition {
  fileprivate func narrow(_ narrowing: inout HistoryNarrowing) {
    guard let asked = lhs as? Asked<String?>,
      let bound = rhs as? PredicateExpressions.Value<String?>, let author = bound.value,
      asked.keyPath == \HistoryNarrowing.Transaction.author
    else { return }
    narrowing.authors = narrowing.authors?.intersection([author]) ?? [author]
  }
}
