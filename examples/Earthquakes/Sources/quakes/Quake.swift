import Contrail

/// An earthquake as the feed reports it.
@Model final class Quake {
  #Index<Quake>([\.time], [\.magnitude])

  /// The feed's own name for the quake: a quake that is reported again is renewed.
  @Attribute(.unique) var code: String
  var magnitude: Double
  @Attribute(.spotlight) var place: String
  var time: Date
  var strength: Strength

  init(_ report: QuakeFeed.Report) {
    code = report.code
    magnitude = report.magnitude
    place = report.place
    time = report.time
    strength = Strength(report.magnitude)
  }

  /// What people would notice.
  enum Strength: String, Codable {
    case light, moderate, strong

    init(_ magnitude: Double) {
      self = magnitude < 5 ? .light : magnitude < 6 ? .moderate : .strong
    }
  }
}

extension Quake {
  /// The day of the quake in Greenwich: what the list's sections are made by.
  var day: String {
    time.formatted(Date.ISO8601FormatStyle().year().month().day())
  }
}
