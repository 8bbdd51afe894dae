import Contrail

/// Makes stores of each version, and shows what the newest has in them.
enum SampleTripsFiles {
  static var versions: [any VersionedSchema.Type] { SampleTripsPlan.schemas }

  static func date(_ day: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
  }

  /// A new store of version 1, 2 or 3 at `url`; in version 1 three trips have the same name.
  static func make(_ version: Int, at url: URL) throws {
    let container = try ModelContainer(
      for: Schema(versionedSchema: versions[version - 1]),
      configurations: ModelConfiguration(url: url))
    let context = ModelContext(container, isolation: nil)
    switch version {
    case 1: fill1(context)
    case 2: fill2(context)
    default: fill3(context)
    }
    try context.save()
  }

  private static func fill1(_ context: ModelContext) {
    typealias Version = SampleTrips1
    let names = ["Rome", "Oslo", "Rome", "Rome", "Lima"]
    var trips: [Version.Trip] = []
    for (day, name) in names.enumerated() {
      let trip = Version.Trip(
        name: name, destination: name == "Oslo" ? "" : "far", start: date(day), end: date(day + 7))
      context.insert(trip)
      trips.append(trip)
    }
    trips[0].bucketList = [Version.BucketListItem(title: "Forum")]
    trips[2].bucketList = [Version.BucketListItem(title: "Colosseum")]
    trips[4].livingAccommodation = Version.LivingAccommodation(placeName: "Hostal")
  }

  private static func fill2(_ context: ModelContext) {
    typealias Version = SampleTrips2
    for (day, name) in [(0, "Rome"), (1, "Oslo"), (4, "Lima")] {
      let trip = Version.Trip(
        name: name, destination: name == "Oslo" ? "Oslo" : "far", start: date(day),
        end: date(day + 7))
      context.insert(trip)
      if name == "Rome" {
        trip.bucketList = ["Forum", "Colosseum"].map { Version.BucketListItem(title: $0) }
      }
      if name == "Lima" {
        trip.livingAccommodation = Version.LivingAccommodation(placeName: "Hostal")
      }
    }
  }

  private static func fill3(_ context: ModelContext) {
    typealias Version = SampleTrips3
    for (day, name) in [(0, "Rome"), (1, "Oslo"), (4, "Lima")] {
      let trip = Version.Trip(
        name: name, destination: name == "Oslo" ? "Oslo" : "far", startDate: date(day),
        endDate: date(day + 7))
      context.insert(trip)
      if name == "Rome" {
        trip.bucketList = ["Forum", "Colosseum"].map { Version.BucketListItem(title: $0) }
      }
      if name == "Lima" {
        trip.livingAccommodation = Version.LivingAccommodation(placeName: "Hostal")
      }
    }
  }

  /// Opens a store of whichever version as one of the newest.
  static func open(_ url: URL) throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: SampleTrips3.self), migrationPlan: SampleTripsPlan.self,
      configurations: ModelConfiguration(url: url))
  }

  /// The trips, as the newest version has them.
  static func shown(_ url: URL) throws -> [String] {
    let context = ModelContext(try open(url), isolation: nil)
    let trips = try context.fetch(
      FetchDescriptor(sortBy: [SortDescriptor(\SampleTrips3.Trip.name)]))
    return trips.map { trip in
      let days = [trip.startDate, trip.endDate].map {
        String(Int($0.timeIntervalSinceReferenceDate / 86_400))
      }
      let items = trip.bucketList.map(\.title).joined(separator: ", ")
      let stay = trip.livingAccommodation?.placeName ?? "-"
      return
        "\(trip.name) to \(trip.destination), days \(days.joined(separator: "...")): [\(items)] \(stay)"
    }
  }

  /// What a store of every version comes to.
  static let expected = [
    "Lima to far, days 4...11: [] Hostal",
    "Oslo to Oslo, days 1...8: [] -",
    "Rome to far, days 0...7: [Forum, Colosseum] -",
  ]
}
