import Contrail

/// The pilot's log as it began: everything that is known of a flight is a text of its entry.
enum FlightLog1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [LogEntry.self] }

  @Model final class LogEntry {
    var type: String
    var duration: Double
    var origin: String
    var destination: String
    var tailNumber: String

    init(type: String, duration: Double, origin: String, destination: String, tailNumber: String) {
      self.type = type
      self.duration = duration
      self.origin = origin
      self.destination = destination
      self.tailNumber = tailNumber
    }
  }
}

/// The bridge: aircraft and airports are there, and the texts that they are made of still are.
enum FlightLog2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] {
    [LogEntry.self, Aircraft.self, Airport.self, Pilot.self]
  }

  @Model final class LogEntry {
    var type: String?
    var duration: Double
    @Attribute(originalName: "origin") var originText: String?
    @Attribute(originalName: "destination") var destinationText: String?
    var tailNumber: String?
    var origin: Airport?
    var destination: Airport?
    var aircraft: Aircraft?
    var pilot: Pilot?

    init(duration: Double) { self.duration = duration }
  }

  @Model final class Aircraft {
    var type: String
    var tailNumber: String
    var registrationNumber: String?
    @Relationship(inverse: \LogEntry.aircraft) var entry: LogEntry?

    init(type: String, tailNumber: String) {
      self.type = type
      self.tailNumber = tailNumber
    }
  }

  @Model final class Airport {
    @Attribute(.unique) var icaoIdentifier: String
    var faaIdentifier: String?
    @Relationship(inverse: \LogEntry.origin) var departures: [LogEntry] = []
    @Relationship(inverse: \LogEntry.destination) var arrivals: [LogEntry] = []

    init(icaoIdentifier: String) { self.icaoIdentifier = icaoIdentifier }
  }

  @Model final class Pilot {
    var name: String
    var certificateID: String
    @Relationship(inverse: \LogEntry.pilot) var entries: [LogEntry] = []

    init(name: String, certificateID: String) {
      self.name = name
      self.certificateID = certificateID
    }
  }
}

/// The log in normal form.
enum FlightLog3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] {
    [LogEntry.self, Aircraft.self, Airport.self, Pilot.self]
  }

  @Model final class LogEntry {
    var duration: Double
    var origin: Airport?
    var destination: Airport?
    var aircraft: Aircraft?
    var pilot: Pilot?

    init(duration: Double) { self.duration = duration }
  }

  @Model final class Aircraft {
    var type: String
    var tailNumber: String
    var registrationNumber: String?
    @Relationship(inverse: \LogEntry.aircraft) var entry: LogEntry?

    init(type: String, tailNumber: String) {
      self.type = type
      self.tailNumber = tailNumber
    }
  }

  @Model final class Airport {
    @Attribute(.unique) var icaoIdentifier: String
    var faaIdentifier: String?
    @Relationship(inverse: \LogEntry.origin) var departures: [LogEntry] = []
    @Relationship(inverse: \LogEntry.destination) var arrivals: [LogEntry] = []

    init(icaoIdentifier: String) { self.icaoIdentifier = icaoIdentifier }
  }

  @Model final class Pilot {
    var name: String
    var certificateID: String
    @Relationship(inverse: \LogEntry.pilot) var entries: [LogEntry] = []

    init(name: String, certificateID: String) {
      self.name = name
      self.certificateID = certificateID
    }
  }
}

/// The way from texts to objects, in two steps that each leave nothing behind.
enum FlightLogPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [FlightLog1.self, FlightLog2.self, FlightLog3.self]
  }

  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: FlightLog1.self, toVersion: FlightLog2.self, willMigrate: nil,
        didMigrate: { context in
          var airports: [String: FlightLog2.Airport] = [:]
          func airport(_ name: String?) -> FlightLog2.Airport? {
            guard let name else { return nil }
            if let known = airports[name] { return known }
            let new = FlightLog2.Airport(icaoIdentifier: name)
            context.insert(new)
            airports[name] = new
            return new
          }
          for entry in try context.fetch(FetchDescriptor<FlightLog2.LogEntry>()) {
            entry.origin = airport(entry.originText)
            entry.destination = airport(entry.destinationText)
            if let type = entry.type, let tail = entry.tailNumber {
              entry.aircraft = FlightLog2.Aircraft(type: type, tailNumber: tail)
            }
          }
          try context.save()
        }),
      .lightweight(fromVersion: FlightLog2.self, toVersion: FlightLog3.self),
    ]
  }
}
