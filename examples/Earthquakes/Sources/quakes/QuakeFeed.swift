import Foundation

/// What a service publishes about quakes: a file in the shape of GeoJSON.
struct QuakeFeed: Decodable {
  var features: [Feature]

  struct Feature: Decodable {
    var id: String
    var properties: Properties
  }

  /// What may be missing: services publish quakes before they know all about them.
  struct Properties: Decodable {
    var mag: Double?
    var place: String?
    /// In milliseconds since 1970.
    var time: Double
  }

  /// A quake of which everything is known.
  struct Report: Sendable {
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
}
