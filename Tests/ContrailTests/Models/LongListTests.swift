import Contrail
import Testing

@Model final class Coin {
  var number: Int
  var label: String
  var key: UUID

  init(_ number: Int) {
    self.number = number
    label = "coin \"\(number)\" \u{e9}"
    key = Self.key(number)
  }

  static func key(_ number: Int) -> UUID {
    let byte = UInt8(truncatingIfNeeded: number)
    return UUID(
      uuid: (byte, UInt8(truncatingIfNeeded: number >> 8), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
    )
  }
}

@Suite("Long lists in predicates")
struct LongListTests {
  @Test(arguments: [3, 10_001, 300_000])
  func `a list is looked into however long it is`(count: Int) throws {
    let context = ModelContext(try memory(Coin.self))
    for number in [-1, 0, 2, 400_000] { context.insert(Coin(number)) }
    try context.save()
    let numbers = Array(0..<count)
    let labels = numbers.map { Coin($0).label }
    func found(_ predicate: Predicate<Coin>) throws -> [Int] {
      let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.number)])
      return try context.fetch(descriptor).map(\.number)
    }
    #expect(try found(#Predicate { numbers.contains($0.number) }) == [0, 2])
    #expect(try found(#Predicate { !numbers.contains($0.number) }) == [-1, 400_000])
    #expect(try found(#Predicate { labels.contains($0.label) }) == [0, 2])
  }

  @Test func `a long list of identifiers and of keys is looked into`() throws {
    let context = ModelContext(try memory(Coin.self))
    let coins = (0..<10_100).map { Coin($0) }
    for coin in coins { context.insert(coin) }
    try context.save()
    let identifiers = coins.dropFirst(50).map(\.persistentModelID)
    let keys = coins.dropFirst(50).map(\.key)
    func count(_ predicate: Predicate<Coin>) throws -> Int {
      try context.fetchCount(FetchDescriptor(predicate: predicate))
    }
    #expect(try count(#Predicate { identifiers.contains($0.persistentModelID) }) == 10_050)
    #expect(try count(#Predicate { $0.number < 60 && keys.contains($0.key) }) == 10)
  }
}
