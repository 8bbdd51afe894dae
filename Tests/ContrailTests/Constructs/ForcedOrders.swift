// swift-format-ignore-file: NeverForceUnwrap
// Key paths may unwrap by force, and what becomes of that is tested here.
import Contrail
import Foundation
import Testing

struct Sledge: Codable, Hashable {
  var length: Int
}

@Model final class Skater {
  var name: String
  var place: Int?
  var club: String?
  var number: UInt64?
  var coach: Skater?
  @Relationship(inverse: \Skater.coach) var pupils: [Skater] = []
  var sledge: Sledge?

  var shortName: String? { name.count < 3 ? name : nil }

  init(_ name: String, _ place: Int?, _ club: String? = nil) {
    self.name = name
    self.place = place
    self.club = club
  }
}

/// What inherits from a model has its key paths followed, but never through what is unwrapped by force.
@Model class SledDog {
  var name: String
  var driver: Skater?

  init(_ name: String) { self.name = name }
}

@Model final class LeadDog: SledDog {
  var rank: Int?

  override init(_ name: String) { super.init(name) }
}

@Suite struct ForcedOrders {
  /// Cy has neither a place, a club nor a coach; Bo is trained by Ann, and Ann by Cy.
  private func context() throws -> ModelContext {
    try Kept(Skater.self) { context in
      let (ann, bo, cy) = (Skater("Ann", 2, "b10"), Skater("Bo", 1, "B9"), Skater("Cy", nil))
      for skater in [ann, bo, cy] { context.insert(skater) }
      bo.coach = ann
      ann.coach = cy
    }.context
  }

  private func names(_ context: ModelContext, _ order: SortDescriptor<Skater>) throws -> [String] {
    try context.fetch(FetchDescriptor(sortBy: [order, SortDescriptor(\.name)])).map(\.name)
  }

  private func orders(_ context: ModelContext) throws -> [[String]] {
    [
      try names(context, SortDescriptor(\.place!)),
      try names(context, SortDescriptor(\.place!, order: .reverse)),
      try names(context, SortDescriptor(\.club!)),
      try names(context, SortDescriptor(\.club!, comparator: .localizedStandard)),
      try names(context, SortDescriptor(\.coach!.name)),
      try names(context, SortDescriptor(\.coach!.place!, order: .reverse)),
      try names(context, SortDescriptor(\.coach!.coach!.name)),
    ]
  }

  @Test func `Who unwraps by force sorts as by the optional: nil comes first`() throws {
    let context = try context()
    let expected = [
      ["Cy", "Bo", "Ann"], ["Ann", "Bo", "Cy"], ["Cy", "Bo", "Ann"], ["Cy", "Bo", "Ann"],
      ["Cy", "Bo", "Ann"], ["Bo", "Ann", "Cy"], ["Ann", "Cy", "Bo"],
    ]
    #expect(try orders(context) == expected)
    #expect(try names(context, SortDescriptor(\.coach?.name)) == expected[4])
    try #require(try context.fetch(FetchDescriptor<Skater>()).first).sledge = Sledge(length: 1)
    #expect(try orders(context) == expected)
  }

  @Test func `A subclass is sorted by what is its own, and refused by what it inherits`() throws {
    let context = try Kept(LeadDog.self, SledDog.self) { context in
      for name in ["Rex", "Ace"] { context.insert(LeadDog(name)) }
    }.context
    func sorted(_ order: SortDescriptor<LeadDog>) -> [String] {
      do {
        return try context.fetch(FetchDescriptor(sortBy: [order, SortDescriptor(\.name)]))
          .map(\.name)
      } catch {
        return [(error as? StoreError)?.code.rawValue ?? "\(error)"]
      }
    }
    #expect(sorted(SortDescriptor(\.rank!)) == ["Ace", "Rex"])
    #expect(sorted(SortDescriptor(\.driver!.name)) == ["invalidFetch"])
    #expect(sorted(SortDescriptor(\.driver?.name)) == ["Ace", "Rex"])
  }

  @Test func `Sections by what is unwrapped by force are refused`() throws {
    let context = try context()
    let error = #expect(throws: StoreError.self) {
      try ResultsObserver<Skater, Int>(sectionBy: \.place!, modelContext: context)
    }
    #expect(error?.code == .invalidFetch)
  }

  @Test func `What only memory can sort by is refused where it unwraps by force`() throws {
    let context = try context()
    func refused(_ orders: SortDescriptor<Skater>...) -> String? {
      do {
        return try context.fetch(FetchDescriptor(sortBy: orders)).first?.name
      } catch {
        return (error as? StoreError)?.code.rawValue
      }
    }
    let shown = [
      refused(SortDescriptor(\.shortName!)), refused(SortDescriptor(\.sledge!.length)),
      refused(SortDescriptor(\.number!)), refused(SortDescriptor(\.coach!.shortName)),
      refused(SortDescriptor(\.shortName), SortDescriptor(\.place!)),
      refused(SortDescriptor(\.shortName), SortDescriptor(\.place)),
    ]
    #expect(shown == Array(repeating: "invalidFetch", count: 5) + ["Ann"])
  }
}
