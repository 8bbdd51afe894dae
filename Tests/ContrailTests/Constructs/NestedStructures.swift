import Contrail
import Foundation
import Testing

struct Anchorage: Codable, Equatable {
  enum Ground: String, Codable, CaseIterable { case sand, rock }

  var lat: Double
  var ground: Ground?
  var seen: Date?
  var fee: Decimal?
  var isSafe: Bool?
}

struct Mooring: Codable, Equatable {
  var quay: String
  var anchorage: Anchorage?
  var edge = Anchorage(lat: 9)
}

@Model final class Ferry {
  var number: Int
  var mooring: Mooring?
  var home = Mooring(quay: "home")

  init(_ number: Int, _ mooring: Mooring?) {
    self.number = number
    self.mooring = mooring
  }
}

@Suite struct NestedStructures {
  private static let day = Date(timeIntervalSince1970: 1000)

  /// The first has a anchorage within its mooring, the second has a mooring only, the third has neither.
  private func ferries() throws -> ModelContext {
    let kept = try Kept(Ferry.self) { context in
      let anchorage = Anchorage(lat: 1, ground: .rock, seen: Self.day, fee: 2.5, isSafe: true)
      context.insert(Ferry(1, Mooring(quay: "a", anchorage: anchorage, edge: anchorage)))
      context.insert(Ferry(2, Mooring(quay: "b")))
      context.insert(Ferry(3, nil))
    }
    return kept.context
  }

  private func numbers(_ predicate: Predicate<Ferry>, _ context: ModelContext) throws -> [Int] {
    try context.fetch(FetchDescriptor(predicate: predicate)).map(\.number).sorted()
  }

  private static var predicates: [(Predicate<Ferry>, [Int])] {
    let (day, fee, rock) = (day, Decimal(2.5), Anchorage.Ground.rock)
    return [
      (#Predicate { $0.mooring?.anchorage == nil }, [2, 3]),
      (#Predicate { $0.mooring?.anchorage != nil }, [1]),
      (#Predicate { $0.mooring?.anchorage?.lat == 1 }, [1]),
      (#Predicate { $0.mooring?.anchorage?.lat == nil }, [2, 3]),
      (#Predicate { ($0.mooring?.anchorage?.lat ?? 7) > 3 }, [2, 3]),
      (#Predicate { $0.mooring?.anchorage?.ground == rock }, [1]),
      (#Predicate { $0.mooring?.anchorage?.seen == day }, [1]),
      (#Predicate { $0.mooring?.anchorage?.fee == fee }, [1]),
      (#Predicate { $0.mooring?.anchorage?.isSafe == true }, [1]),
      (#Predicate { $0.mooring?.anchorage?.isSafe != true }, [2, 3]),
      (#Predicate { $0.mooring?.edge.lat == 9 }, [2]),
      (#Predicate { $0.mooring?.edge.ground == nil }, [2, 3]),
      (#Predicate { $0.home.anchorage == nil }, [1, 2, 3]),
      (#Predicate { $0.home.edge.lat == 9 }, [1, 2, 3]),
      (#Predicate { $0.home.edge.lat < 9 }, []),
    ]
  }

  @Test func `A structure within a structure is asked for as Swift reads it`() throws {
    let context = try ferries()
    let found = try Self.predicates.map { try numbers($0.0, context) }
    #expect(found == Self.predicates.map(\.1))
  }

  @Test func `The same is found while a change waits to be saved`() throws {
    let context = try ferries()
    let all = try context.fetch(FetchDescriptor<Ferry>())
    for ferry in all { ferry.number += 10 }
    context.insert(Ferry(14, Mooring(quay: "d", anchorage: Anchorage(lat: 3))))
    let found = try Self.predicates.map { predicate, _ in
      try numbers(predicate, context).filter { $0 < 14 }
    }
    #expect(found == Self.predicates.map { $0.1.map { $0 + 10 } })
    #expect(try numbers(#Predicate { $0.mooring?.anchorage?.lat == 3 }, context) == [14])
  }

  @Test func `What an observer follows stays where a model is inserted`() throws {
    let context = try ferries()
    let observer = try ResultsObserver(
      fetchDescriptor: FetchDescriptor<Ferry>(
        predicate: #Predicate { $0.mooring?.anchorage?.lat == 1 }),
      modelContext: context)
    #expect(observer.results.map(\.number) == [1])
    context.insert(Ferry(4, Mooring(quay: "d", anchorage: Anchorage(lat: 1))))
    context.processPendingChanges()
    #expect(observer.results.map(\.number) == [1, 4])
  }
}
