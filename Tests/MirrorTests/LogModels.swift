import Contrail

enum Rank: String, Codable { case student, captain }

struct Place: Codable, Equatable {
  var town: String
  var street: String?
}

/// Who flies: with every kind of relationship, an enumeration, a composite, and a value in a file.
@Model class Pilot {
  var name: String
  var rank: Rank = Rank.student
  var hours: Double?
  var home: Place?
  var languages: [String] = []
  @Attribute(.externalStorage) var photo: Data?
  @Relationship(deleteRule: .cascade, inverse: \LogEntry.pilot) var entries: [LogEntry] = []
  @Relationship(inverse: \License.holder) var license: License?
  @Relationship(inverse: \Aircraft.pilots) var aircraft: [Aircraft] = []
  @Relationship(inverse: \Club.members) var clubs: Set<Club> = []

  init(name: String) { self.name = name }
}

@Model final class Instructor: Pilot {
  var rating: Decimal

  init(name: String, rating: Decimal) {
    self.rating = rating
    super.init(name: name)
  }
}

@Model final class LogEntry {
  var day: Date
  var remarks: String?
  var pilot: Pilot?

  init(day: Date, remarks: String? = nil) {
    self.day = day
    self.remarks = remarks
  }
}

@Model final class License {
  var number: Int
  var key = UUID(uuidString: "5A1D8F4E-0B0E-4E0C-9E8D-0F4B8B1D2A33")
  var holder: Pilot?

  init(number: Int) { self.number = number }
}

@Model final class Aircraft {
  var tail: String
  var pilots: [Pilot] = []

  init(tail: String) { self.tail = tail }
}

@Model final class Club {
  var name: String
  var members: Set<Pilot> = []

  init(name: String) { self.name = name }
}

/// Two of them with one code are one.
@Model final class Airport {
  var code: String?
  var town: String?

  init(code: String, town: String? = nil) {
    self.code = code
    self.town = town
  }

  static var naturalKey: [AnyKeyPath] { [\Airport.code] }
}

/// What CloudKit's own mirroring would take: optional, or with defaults, and without an order.
@Model final class Shelf {
  var name: String = ""
  @Relationship(inverse: \Note.shelf) var notes: Set<Note>?

  init() {}
}

@Model final class Note {
  var text: String?
  var shelf: Shelf?

  init() {}
}

/// What many add to; those that a later version of the program makes are not for this one.
@Model final class Tally {
  var name: String
  @Attribute(.merged(by: .counter)) var count = 0
  @Attribute(.merged(by: .maximum)) var record = 0
  var version = 1

  init(name: String) { self.name = name }

  static var versionField: AnyKeyPath? { \Tally.version }
}

/// What cannot be mirrored, and what had better not be.
@Model final class Ticket {
  @Attribute(.unique) var number: Int
  @Relationship(deleteRule: .deny) var flights: [Leg] = []

  init(number: Int) { self.number = number }
}

@Model final class Leg {
  var ticket: Ticket

  init(ticket: Ticket) { self.ticket = ticket }
}

enum LogModels {
  static var schema: Schema {
    Schema([
      Pilot.self, Instructor.self, LogEntry.self, License.self, Aircraft.self, Club.self,
      Airport.self,
    ])
  }

  /// All that a context finds, as texts: values, and related models in their order.
  static func state(_ context: ModelContext) throws -> [String] {
    var lines: [String] = []
    for pilot in try context.fetch(FetchDescriptor<Pilot>()) {
      let rating = (pilot as? Instructor).map { " rating \($0.rating)" } ?? ""
      let home = pilot.home.map { " of \($0.town), \($0.street ?? "-")" } ?? ""
      let photo = pilot.photo.map { " photo of \($0.count), \($0.reduce(0) { $0 &+ Int($1) })" }
      lines.append(
        """
        \(type(of: pilot)) \(pilot.name) \(pilot.rank) \(pilot.hours ?? -1)\(home)\(rating)\
        \(photo ?? "") speaks \(pilot.languages) license \(pilot.license?.number ?? 0) \
        entries \(pilot.entries.map { $0.remarks ?? "-" }) \
        aircraft \(pilot.aircraft.map(\.tail)) clubs \(pilot.clubs.map(\.name).sorted())
        """)
    }
    for entry in try context.fetch(FetchDescriptor<LogEntry>()) {
      let day = entry.day.timeIntervalSince1970
      lines.append("entry \(day) \(entry.remarks ?? "-") by \(entry.pilot?.name ?? "-")")
    }
    for license in try context.fetch(FetchDescriptor<License>()) {
      let key = license.key?.uuidString ?? "-"
      lines.append("license \(license.number) \(key) of \(license.holder?.name ?? "-")")
    }
    for aircraft in try context.fetch(FetchDescriptor<Aircraft>()) {
      lines.append("aircraft \(aircraft.tail) \(aircraft.pilots.map(\.name))")
    }
    for club in try context.fetch(FetchDescriptor<Club>()) {
      lines.append("club \(club.name) \(club.members.map(\.name).sorted())")
    }
    for airport in try context.fetch(FetchDescriptor<Airport>()) {
      lines.append("airport \(airport.code ?? "-") \(airport.town ?? "-")")
    }
    return lines.sorted()
  }
}
