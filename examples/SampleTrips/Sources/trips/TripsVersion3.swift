import Contrail

/// In version 3 the dates have better names, and the trip knows how often it was looked at.
enum TripsVersion3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, BucketListItem.self, Stay.self] }

  @Model final class Trip {
    @Attribute(.unique) var name: String
    var destination: String
    @Attribute(originalName: "start_date") var startDate: Date
    @Attribute(originalName: "end_date") var endDate: Date
    @Relationship(deleteRule: .cascade) var bucketList: [BucketListItem] = []
    @Relationship(deleteRule: .cascade) var stay: Stay?

    /// How often the trip was looked at since it was fetched: nothing that is kept.
    @Transient var views = 0

    init(name: String, destination: String, startDate: Date, endDate: Date) {
      self.name = name
      self.destination = destination
      self.startDate = startDate
      self.endDate = endDate
    }
  }

  @Model final class BucketListItem {
    var title: String
    var trip: Trip?

    init(title: String) { self.title = title }
  }

  @Model final class Stay {
    var place: String
    var trip: Trip?

    init(place: String) { self.place = place }
  }
}

// The rest of the program speaks of the newest version, and of no other.
typealias Trip = TripsVersion3.Trip
typealias BucketListItem = TripsVersion3.BucketListItem
typealias Stay = TripsVersion3.Stay
