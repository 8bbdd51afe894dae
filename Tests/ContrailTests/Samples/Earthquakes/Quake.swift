import Contrail

/// An earthquake as a feed reports it.
@Model final class Quake {
  #Index<Quake>([\.time], [\.magnitude])
  #Unique<Quake>([\.code])
  var code: String
  var magnitude: Double
  @Attribute(.spotlight) var place: String
  var time: Date
  var strength: Strength
  var depth: Int?

  init(code: String, magnitude: Double, place: String, time: Date) {
    self.code = code
    self.magnitude = magnitude
    self.place = place
    self.time = time
    strength = Strength(magnitude)
  }

  convenience init(_ report: QuakeFeed.Report) {
    self.init(
      code: report.code, magnitude: report.magnitude, place: report.place, time: report.time)
  }
}

extension Quake {
  enum Strength: String, Codable, CaseIterable {
    case light, moderate, strong

    init(_ magnitude: Double) {
      self = magnitude < 5 ? .light : magnitude < 6 ? .moderate : .strong
    }
  }

  /// The day of the quake in Greenwich, which no column holds.
  var day: Date { Calendar.greenwich.startOfDay(for: time) }
}

extension Calendar {
  static let greenwich: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    return calendar
  }()
}

extension Date {
  /// A moment of the week that the tests are about: day 0 to 6, and hours.
  static func at(day: Int, hour: Int = 0) -> Date {
    Date(timeIntervalSince1970: 1_700_006_400 + Double(day * 24 + hour) * 3600)
  }
}
