import Contrail

/// What a service publishes about quakes: JSON in the shape of GeoJSON.
struct QuakeFeed: Decodable, Sendable {
  var features: [Feature]

  struct Feature: Decodable, Sendable {
    var id: String
    var properties: Properties
  }

  /// What may be missing: services publish quakes before they know all about them.
  struct Properties: Decodable, Sendable {
    var mag: Double?
    var place: String?
    var time: Double
  }

  /// A quake of which everything is known.
  struct Report: Sendable, Hashable {
    var code: String
    var magnitude: Double
    var place: String
    var time: Date
  }

  /// The quakes of which everything is known.
  var reports: [Report] {
    features.compactMap { feature in
      guard let magnitude = feature.properties.mag, let place = feature.properties.place else {
        return nil
      }
      return Report(
        code: feature.id, magnitude: magnitude, place: place,
        time: Date(timeIntervalSince1970: feature.properties.time / 1000))
    }
  }

  /// A feed of made-up quakes; the last is incomplete.
  static let sample = """
    {"type": "FeatureCollection", "features": [
      {"id": "q1", "properties": {"mag": 4.6, "place": "12 km S of Sándwich Bay", "time": 1700006400000}},
      {"id": "q2", "properties": {"mag": 6.1, "place": "Offshore Norfold", "time": 1700046000000}},
      {"id": "q3", "properties": {"mag": 5.2, "place": "3 km E of Little Sandwich", "time": 1700096400000}},
      {"id": "q4", "properties": {"mag": 6.8, "place": "Mount Ember", "time": 1700182800000}},
      {"id": "q5", "properties": {"mag": null, "place": "Mount Ember", "time": 1700182900000}}
    ]}
    """
}

/// Brings a feed into a container in three steps: download the raw data, convert it, save it.
struct QuakeImporter: Sendable {
  var container: ModelContainer
  var source: @Sendable () async throws -> Data
  /// Told of each step as it begins.
  var onStep: @Sendable (String) -> Void = { _ in }

  /// Imports the feed; returns how many quakes were new or renewed.
  func importQuakes() async throws -> Int {
    let data = try await download()
    let reports = try await convert(data)
    return try await save(reports)
  }

  func download() async throws -> Data {
    onStep("download")
    return try await source()
  }

  @concurrent func convert(_ data: Data) async throws -> [QuakeFeed.Report] {
    onStep("convert")
    try Task.checkCancellation()
    return try JSONDecoder().decode(QuakeFeed.self, from: data).reports
  }

  func save(_ reports: [QuakeFeed.Report]) async throws -> Int {
    onStep("save")
    return try await container.performBackgroundTask { context in
      context.author = "import"
      return try context.insertBatch(reports.lazy.map { Quake($0) })
    }
  }
}
