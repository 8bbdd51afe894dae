import Contrail

/// Brings the feed into the store, beside the main actor: on an executor of its own.
@ModelActor actor QuakeImporter {
  struct NoFeed: Error {}

  /// Reads the feed, converts it, and saves it; returns how many quakes were new or renewed.
  func importQuakes() async throws -> Int {
    modelContext.author = "import"
    let data = try await download()
    let reports = try convert(data)
    // The models go straight into the store, in one transaction, and are not kept in memory.
    return try modelContext.insertBatch(reports.lazy.map { Quake($0) })
  }

  /// A real program would ask a server here.
  private func download() async throws -> Data {
    guard let file = Bundle.module.url(forResource: "quakes", withExtension: "geojson") else {
      throw NoFeed()
    }
    return try Data(contentsOf: file)
  }

  private func convert(_ data: Data) throws -> [QuakeFeed.Report] {
    try Task.checkCancellation()
    return try JSONDecoder().decode(QuakeFeed.self, from: data).reports
  }

  /// How many quakes there were in the five hours before the newest: nothing but a number is fetched.
  func recentCount() throws -> Int {
    var newest = FetchDescriptor<Quake>(sortBy: [SortDescriptor(\.time, order: .reverse)])
    newest.fetchLimit = 1
    guard let last = try modelContext.fetch(newest).first?.time,
      let since = Calendar.current.date(byAdding: .hour, value: -5, to: last)
    else { return 0 }
    return try modelContext.fetchCount(
      FetchDescriptor<Quake>(predicate: #Predicate { $0.time >= since }))
  }
}
