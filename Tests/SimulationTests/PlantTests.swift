import Testing

@testable import simulate

@Suite struct PlantTests {
  /// As many seeds as any of the bugs needs, and some.
  static let seedsMax: UInt64 = 100

  @Test(arguments: Plant.rows)
  func `a bug that was put in is found`(plant: Plant) async {
    var found: String?
    for seed in 1...Self.seedsMax where found == nil {
      found = await SeedRun.run(seed, adding: plant.features, sabotage: plant.sabotage).failure
    }
    #expect(found != nil, "\(plant.name): \(Self.seedsMax) seeds ran clean")
  }

  @Test func `each bug has a name of its own`() {
    let names = Plant.rows.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Plant.rows.count >= 5)
  }
}
