import Contrail
import Testing

private enum LeafletsBefore {
  enum Stage: String, Codable { case draft, printed }

  @Model final class Leaflet {
    var stage = Stage.draft
    var last: Stage?

    init() {}
  }
}

private enum LeafletsAfter {
  enum Stage: String, Codable { case draft, sold }

  @Model final class Leaflet {
    var stage = Stage.draft
    var last: Stage?

    init() {}
  }
}

@Suite("Cases that were taken away")
struct MissingCaseTests {
  @Test func `A stored case that is none any more is told once for each property`() throws {
    let folder = try TemporaryFolder()
    let configuration = ModelConfiguration(url: folder.file("leaflets.store"))
    do {
      let context = ModelContext(
        try ModelContainer(for: LeafletsBefore.Leaflet.self, configurations: configuration))
      let leaflet = LeafletsBefore.Leaflet()
      context.insert(leaflet)
      context.insert(LeafletsBefore.Leaflet())
      leaflet.stage = .printed
      leaflet.last = .printed
      try context.save()
    }
    let context = ModelContext(
      try ModelContainer(for: LeafletsAfter.Leaflet.self, configurations: configuration))
    let found = try context.fetch(FetchDescriptor<LeafletsAfter.Leaflet>())
    #expect(context.problems == [])
    for _ in 1...2 {
      #expect(found.map(\.stage) == [.draft, .draft])
      #expect(found.map(\.last) == [nil, nil])
    }
    #expect(
      context.problems.map(\.description).sorted()
        == ["last", "stage"].map {
          "Leaflet.\($0): cannot be decoded: its type has no value for what is stored "
            + "[unreadableValue]; read it with a type that has what was stored, or set it anew"
        })
    found[0].stage = .sold
    try context.save()
    #expect(found.map(\.stage) == [.sold, .draft])
  }
}
