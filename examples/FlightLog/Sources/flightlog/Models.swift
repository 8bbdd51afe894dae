import Contrail

/// Who flies.
@Model final class Pilot {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \LogEntry.pilot) var entries: [LogEntry] = []

  init(name: String) { self.name = name }
}

/// A flight.
@Model final class LogEntry {
  var tailNumber: String
  var flightTime: Double
  @Attribute(.spotlight) var remarks: String?
  var pilot: Pilot?

  init(tailNumber: String, flightTime: Double) {
    self.tailNumber = tailNumber
    self.flightTime = flightTime
  }
}

/// All that a flight log keeps.
let flightLogSchema = Schema([Pilot.self, LogEntry.self])
