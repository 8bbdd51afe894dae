// swift-format-ignore-file: NeverForceUnwrap
// Predicates may unwrap by force, and what becomes of that is tested here.
import Contrail
import Foundation
import Testing

@Model final class Meter {
  var name: String
  var count: UInt64
  var readings: [Int]
  var small: Int8 = 0
  var price = 1.5
  var word: String?

  /// What no column holds.
  var double: Int { readings.count * 2 }

  init(_ name: String, _ count: UInt64, _ readings: [Int]) {
    self.name = name
    self.count = count
    self.readings = readings
  }
}

/// Predicates that Swift itself evaluates, since SQL does not know what they ask of.
@Suite struct CheckedNumbers {
  private func context() throws -> ModelContext {
    try Kept(Meter.self) { context in
      context.insert(Meter("none", 0, [0]))
      context.insert(Meter("some", 9, [2, 5]))
      context.insert(Meter("most", .max, [10]))
    }.context
  }

  /// The names that are found, or the code of the error.
  private func found(_ predicate: Predicate<Meter>, _ context: ModelContext) -> [String] {
    do {
      return try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name).sorted()
    } catch let error as StoreError {
      return [error.code.rawValue]
    } catch {
      return ["\(error)"]
    }
  }

  @Test func `A part of an array is looked through, and one that is not there is an error`() throws
  {
    let context = try context()
    let none = 0..<0
    #expect(found(#Predicate { $0.readings[0..<1].contains(2) }, context) == ["some"])
    #expect(found(#Predicate { $0.readings[none].isEmpty && $0.double == 4 }, context) == ["some"])
    #expect(found(#Predicate { $0.readings[0..<2].contains(2) }, context) == ["outOfRange"])
    #expect(found(#Predicate { $0.readings[0..<1].starts(with: [2]) }, context) == ["some"])
  }

  @Test func `What would trap is an error`() throws {
    let context = try context()
    let (big, one, least) = (Int.max, 1, Int8.min)
    let error = ["outOfRange"]
    #expect(found(#Predicate { $0.count - 6 > 1 }, context) == error)
    #expect(found(#Predicate { $0.count + 1 > 1 }, context) == error)
    #expect(found(#Predicate { $0.count - 6 == 3 }, context) == error)
    #expect(found(#Predicate { $0.readings.contains { 10 / $0 == 5 } }, context) == error)
    #expect(found(#Predicate { $0.readings.contains { 10 % $0 == 5 } }, context) == error)
    #expect(found(#Predicate { $0.readings.allSatisfy { $0 + big > 0 } }, context) == error)
    #expect(found(#Predicate { $0.double * big > 0 }, context) == error)
    #expect(found(#Predicate { $0.readings.contains { -$0 - big < -one - one } }, context) == error)
    #expect(found(#Predicate { $0.readings[0] == 0 && $0.small - least == 0 }, context) == error)
  }

  @Test func `The rest is reckoned as Swift does`() throws {
    let context = try context()
    let (big, nine, half) = (UInt64.max, UInt64(9), 0.5)
    #expect(found(#Predicate { $0.count > 6 && $0.count - 6 == 3 }, context) == ["some"])
    #expect(found(#Predicate { $0.count / 2 == big / 2 }, context) == ["most"])
    #expect(found(#Predicate { $0.count % 10 == 5 }, context) == ["most"])
    #expect(found(#Predicate { $0.readings.contains { $0 * 2 == 10 } }, context) == ["some"])
    #expect(
      found(#Predicate { $0.readings.filter { $0 - 1 > 1 }.count == 1 }, context)
        == ["most", "some"])
    #expect(found(#Predicate { ($0.readings.max() ?? 0) + 1 > 6 }, context) == ["most"])
    #expect(found(#Predicate { $0.readings[$0.readings.count - 1] == 5 }, context) == ["some"])
    #expect(found(#Predicate { $0.double == 4 ? $0.double - 3 == 1 : false }, context) == ["some"])
    #expect(
      found(#Predicate { $0.readings.contains(7 - 5) && !$0.readings.isEmpty }, context)
        == ["some"])
    #expect(
      found(#Predicate { $0.readings.min()! - 2 == 0 || -$0.double == 9 }, context)
        == ["some"])
    #expect(found(#Predicate { (nine...big).contains($0.count) }, context) == ["most", "some"])
    #expect(found(#Predicate { (big...$0.count).contains($0.count) }, context) == ["most"])
    #expect(found(#Predicate { ($0.count..<nine).contains($0.count) }, context) == ["none"])
    #expect(found(#Predicate { $0.price / half == 3 && $0.double + 1 == 5 }, context) == ["some"])
    #expect(
      found(#Predicate { $0.word.flatMap { $0.count + 1 } == nil && $0.double == 4 }, context)
        == ["some"])
  }

  @Test func `What would trap at a transaction of history is an error`() throws {
    let context = try context()
    let (big, none) = (Int64.max, Int64(0))
    func found(_ predicate: Predicate<DefaultHistoryTransaction>) -> String {
      do {
        return try "\(context.fetchHistory(HistoryDescriptor(predicate: predicate)).count)"
      } catch {
        return (error as? StoreError)?.code.rawValue ?? "\(error)"
      }
    }
    #expect(found(#Predicate { $0.transactionIdentifier + big > 0 }) == "outOfRange")
    #expect(found(#Predicate { $0.transactionIdentifier / none > 0 }) == "outOfRange")
    #expect(found(#Predicate { $0.transactionIdentifier + 1 > 1 }) == "1")
  }

  @Test func `Numbers within what only Foundation evaluates are refused`() throws {
    let context = try context()
    let (words, one) = (["o", "e"], 1)
    let refused: Predicate<Meter> = #Predicate {
      $0.name.localizedStandardContains(words[$0.readings[0] + one])
    }
    #expect(found(refused, context) == ["unsupportedPredicate"])
    #expect(
      found(#Predicate { $0.readings.starts(with: [2]) && $0.double - 1 == 3 }, context)
        == ["some"])
  }
}
