import Contrail

/// A trip with what is to be done on it.
@Model final class Trip {
  @Attribute(.unique) var name: String
  var destination: String
  var start: Date
  var rating: Int?
  @Relationship(deleteRule: .cascade, inverse: \BucketListItem.trip)
  var items: [BucketListItem] = []
  var lodging: Lodging?
  @Transient var timesViewed = 0

  init(name: String, destination: String = "", start: Date = .init(timeIntervalSince1970: 0)) {
    self.name = name
    self.destination = destination
    self.start = start
  }
}

@Model final class BucketListItem {
  var title: String
  var isDone = false
  var trip: Trip?

  init(title: String, trip: Trip? = nil) {
    self.title = title
    self.trip = trip
  }
}

@Model final class Lodging {
  var address: String = ""
  var trip: Trip?

  init(address: String) { self.address = address }
}

/// A container in memory, for tests.
func memory(_ types: any PersistentModel.Type...) throws -> ModelContainer {
  try ModelContainer(
    for: Schema(types), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
}

/// A path in a folder of its own that is taken away when the test ends.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "contrail-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  deinit { try? FileManager.default.removeItem(at: url) }
}
