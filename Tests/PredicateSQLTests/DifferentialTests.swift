import DataModel
import Foundation
import PredicateSQL
import SQLiteDriver
import Testing

private func shown(_ entry: Entry) -> [String: String] {
  entry.columns.mapValues(\.shown)
}

struct DifferentialTests {
  /// An answer that is the same from Swift, from SQL and from memory.
  private func check(
    _ predicate: Predicate<Entry>, _ log: FlightLog, _ query: SQLQuery, _ seed: UInt64
  ) throws {
    let translation = QueryTranslation(predicate, names: names)
    guard let expression = translation.expression, translation.isComplete else {
      Issue.record("seed \(seed): \(translation.problems)")
      return
    }
    var expected: [Int64] = []
    var fails = false
    var isToldOf = false
    for entry in log.entries {
      let swift = try? predicate.evaluate(entry)
      let memory = try? expression.isTrue(of: entry)
      if swift != memory && !isToldOf {
        isToldOf = true
        Issue.record("seed \(seed): \(expression) of \(shown(entry)): \(memory as Any) in memory")
      }
      if swift == true { expected.append(entry.key) }
      if swift == nil { fails = true }
    }
    let condition = try query.condition(expression)
    do {
      let keys = try log.keys(query, where: condition)
      if fails || keys != expected {
        let wrong = Set(keys).symmetricDifference(expected).sorted()
        let rows = log.entries.filter { wrong.prefix(1).contains($0.key) }.map(shown)
        Issue.record(
          """
          seed \(seed): \(expression) fails=\(fails) differs for \(wrong) \(rows)
          \(condition.sql) \(condition.values.map(\.shown))
          """)
      }
    } catch let error as SQLiteError {
      let isKnown = QueryProblem.isEvaluationFailure(message: error.message)
      if !fails || !isKnown { Issue.record("seed \(seed): \(expression): \(error)") }
    }
  }

  @Test(
    arguments: (ProcessInfo.processInfo.environment["SEEDS"].flatMap { UInt64($0) }).map {
      Array(1...$0)
    } ?? [1, 2, 3, 4])
  func `SQL, Swift and memory say the same of every object`(seed: UInt64) throws {
    print("seed \(seed)")
    var values = Values(seed: seed)
    let log = try values.flightLog(entries: 60)
    let query = try SQLQuery(flightLog, entity: "Entry")
    for template in EntryPredicates.all {
      for _ in 0..<3 { try check(template(&values), log, query, seed) }
    }
    for _ in 0..<60 {
      let (a, b) = (values.pick(EntryPredicates.all), values.pick(EntryPredicates.all))
      let (left, right) = (a(&values), b(&values))
      let all = values.pick([
        allOf([left, right]), anyOf([left, right]), negated(anyOf([left, right])),
        negated(allOf([left, negated(right)])),
      ])
      try check(all, log, query, seed)
    }
  }
}
