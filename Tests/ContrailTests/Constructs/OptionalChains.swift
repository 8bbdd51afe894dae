import Contrail
import Foundation
import Testing

struct Plate: Codable, Hashable {
  struct Maker: Codable, Hashable {
    var town: String?
  }

  var text: String?
  var weight: Int?
  var maker: Maker?
}

@Model final class Barrel {
  var weight: Int
  @Relationship(inverse: \Barge.barrels) var barges: [Barge] = []

  init(_ weight: Int) { self.weight = weight }
}

@Model final class Barge {
  var number: Int
  var plate: Plate?
  var sign: Sign?
  var tug: Barge?
  @Relationship(inverse: \Barge.tug) var towed: [Barge] = []
  var barrels: [Barrel]?

  struct Sign: Codable, Hashable {
    var text: String
  }

  init(_ number: Int) { self.number = number }
}

/// What hangs off something optional, asked of a model itself and of what it belongs to.
@Suite struct OptionalChains {
  /// Each barge is towed by the one before, and the first by none.
  ///
  /// The first has no barrels, the second one, the third two; the third has a plate with a text, the fourth
  /// one with its maker's town only.
  private func barges() throws -> (ModelContext, [Barge]) {
    let kept = try Kept(Barge.self, Barrel.self) { context in
      let all = (1...5).map { Barge($0) }
      for barge in all { context.insert(barge) }
      for (tug, barge) in zip(all, all.dropFirst()) { barge.tug = tug }
      all[0].barrels = []
      all[1].barrels = [Barrel(1)]
      all[2].barrels = [Barrel(2), Barrel(3)]
      all[2].plate = Plate(text: "No. 2", weight: 7)
      all[2].sign = Barge.Sign(text: "slow 2")
      all[3].plate = Plate(maker: Plate.Maker(town: "Hull"))
      all[3].sign = Barge.Sign(text: "")
    }
    return (kept.context, try kept.context.fetch(FetchDescriptor<Barge>()))
  }

  private static let ofCollections: [Predicate<Barge>] = [
    #Predicate { $0.tug?.barrels?.contains { $0.weight == 1 } == true },
    #Predicate { ($0.tug?.barrels?.count ?? -1) == 1 },
    #Predicate { $0.tug?.barrels?.count != 1 },
    #Predicate { $0.tug?.barrels?.count == nil },
    #Predicate { $0.tug?.barrels?.isEmpty ?? true },
    #Predicate { $0.tug?.barrels?.isEmpty == false },
    #Predicate { $0.tug?.barrels?.allSatisfy { $0.weight > 1 } == true },
    #Predicate { $0.tug?.barrels?.filter { $0.weight > 2 }.count == 1 },
    #Predicate { $0.tug?.tug?.barrels?.count == 1 },
    #Predicate { $0.tug?.towed.count == 1 },
    #Predicate { $0.tug?.barrels == nil },
    #Predicate { $0.tug?.barrels != nil },
    #Predicate { $0.barrels == nil },
  ]

  private static let ofStructures: [Predicate<Barge>] = [
    #Predicate { $0.tug?.sign?.text.contains("2") == true },
    #Predicate { $0.tug?.sign?.text.contains("2") != true },
    #Predicate { $0.tug?.sign?.text.starts(with: "slow") ?? true },
    #Predicate { $0.tug?.sign?.text.localizedStandardContains("SLOW") == true },
    #Predicate { ($0.tug?.sign?.text.count ?? -1) == 6 },
    #Predicate { $0.tug?.sign?.text.isEmpty == true },
    #Predicate { $0.sign?.text.contains("2") ?? true },
    #Predicate { $0.sign?.text.contains("2") == nil },
    #Predicate { $0.sign == nil },
    #Predicate { $0.tug?.sign == nil },
    #Predicate { $0.tug?.sign != nil },
    #Predicate { $0.tug?.plate?.text?.contains("2") == true },
    #Predicate { $0.tug?.plate?.maker == nil },
    #Predicate { $0.tug?.plate?.maker != nil },
    #Predicate { $0.plate?.maker?.town?.starts(with: "H") ?? true },
    #Predicate { $0.plate != nil && $0.plate?.maker == nil },
    #Predicate { ($0.tug?.plate?.weight ?? 7) == 7 },
  ]

  /// The numbers of the barges that Swift and a fetch find by each predicate.
  private func answers(
    _ predicates: [Predicate<Barge>], _ context: ModelContext, _ barges: [Barge]
  ) throws -> (swift: [[Int]], fetch: [[Int]]) {
    (
      try predicates.map { predicate in
        try barges.filter { try predicate.evaluate($0) }.map(\.number).sorted()
      },
      try predicates.map { predicate in
        try context.fetch(FetchDescriptor(predicate: predicate)).map(\.number).sorted()
      }
    )
  }

  @Test func `What is asked of a collection behind a to-one is what Swift answers`() throws {
    let (context, barges) = try barges()
    let found = try answers(Self.ofCollections, context, barges)
    #expect(found.fetch == found.swift)
    #expect(Array(found.fetch.prefix(3)) == [[3], [3], [1, 2, 4, 5]])
    barges[4].number = 6
    let pending = try answers(Self.ofCollections, context, barges)
    #expect(pending.fetch == pending.swift)
  }

  @Test func `What is asked of a structure, also behind a to-one, is what Swift answers`() throws {
    let (context, barges) = try barges()
    let found = try answers(Self.ofStructures, context, barges)
    #expect(found.fetch == found.swift)
    #expect(Array(found.fetch.prefix(3)) == [[4], [1, 2, 3, 5], [1, 2, 3, 4]])
    barges[4].number = 6
    let pending = try answers(Self.ofStructures, context, barges)
    #expect(pending.fetch == pending.swift)
  }

  // swift-format-ignore: NeverForceUnwrap
  private static let unwrapping: [Predicate<Barge>] = [
    #Predicate { $0.sign != nil && $0.sign!.text.contains("2") },
    #Predicate { $0.tug?.sign != nil && $0.tug!.sign!.text == "slow 2" },
    #Predicate { $0.tug != nil && $0.tug!.plate?.maker != nil && $0.tug!.plate!.weight == nil },
    #Predicate { $0.sign!.text == "" },
    #Predicate { $0.tug!.sign!.text.isEmpty },
  ]

  @Test func `A structure is unwrapped where it is there; unwrapping nil is an error`() throws {
    let (context, barges) = try barges()
    func shown(_ predicate: Predicate<Barge>) -> [Int]? {
      try? context.fetch(FetchDescriptor(predicate: predicate)).map(\.number).sorted()
    }
    #expect(Self.unwrapping.map(shown) == [[3], [4], [5], nil, nil])
    barges[4].number = 6
    #expect(Self.unwrapping.map(shown) == [[3], [4], [6], nil, nil])
  }
}
