import Contrail
import Testing

/// A namespace with a type of the same name as another's.
@Model final class Sailing {
  struct Details: Codable, Equatable {
    var days: Int
    var code: Int
  }

  struct Mark: Codable, Equatable { var text: String }

  var details: Details
  var mark: Mark

  init(details: Details) {
    self.details = details
    mark = Mark(text: "voyage")
  }
}

@Model final class Inn {
  struct Details: Codable, Equatable {
    var days: String
    var name: String
  }

  struct Mark: Codable, Equatable { var text: String }

  var details: Details
  var mark: Mark

  init(details: Details) {
    self.details = details
    mark = Mark(text: "inn")
  }
}

@Suite struct SharedNames {
  @Test func `Two types of one name each have their own parts`() throws {
    let kept = try Kept(Sailing.self, Inn.self) { context in
      context.insert(Sailing(details: .init(days: 9, code: 1)))
      context.insert(Inn(details: .init(days: "nine", name: "Crown")))
    }
    #expect(try kept.one(Sailing.self).details == Sailing.Details(days: 9, code: 1))
    #expect(try kept.one(Inn.self).details == Inn.Details(days: "nine", name: "Crown"))
    #expect(try kept.one(Sailing.self).mark.text == "voyage")
    #expect(try kept.one(Inn.self).mark.text == "inn")
    let found = try kept.context.fetch(
      FetchDescriptor<Inn>(predicate: #Predicate { $0.details.days == "nine" }))
    #expect(found.count == 1)
  }

  @Test func `A later type of the same name leaves the values of the first where they are`() throws
  {
    let folder = try TemporaryFolder()
    let configuration = ModelConfiguration(url: folder.file("voyages.sqlite"))
    do {
      let container = try ModelContainer(for: Sailing.self, configurations: configuration)
      let context = ModelContext(container)
      context.insert(Sailing(details: .init(days: 9, code: 1)))
      try context.save()
    }
    let container = try ModelContainer(
      for: Sailing.self, Inn.self, configurations: configuration)
    let kept = try ModelContext(container).fetch(FetchDescriptor<Sailing>())
    #expect(kept.map(\.details) == [Sailing.Details(days: 9, code: 1)])
  }

  @Test func `Two types that no name tells apart are refused`() {
    let error = #expect(throws: StoreError.self) {
      try Kept(Porter.self, Watchman.self) { _ in }
    }
    #expect(error?.code == .invalidSchema)
    #expect(error?.subject == "Badge")
  }
}

private struct Badge: Codable {
  var number: Int
}

@Model final class Porter {
  private var badge = Badge(number: 1)

  init() {}
}
