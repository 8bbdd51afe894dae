import Contrail

/// In version 2 no two trips have the same name.
enum TripsVersion2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, BucketListItem.self, Stay.self] }

  @Model final class Trip {
    @Attribute(.unique) var name: String
    var destination: String
    var start_date: Date
    var end_date: Date
    @Relationship(deleteRule: .cascade) var bucketList: [BucketListItem] = []
    @Relationship(deleteRule: .cascade) var stay: Stay?

    init(name: String, destination: String, start: Date, end: Date) {
      self.name = name
      self.destination = destination
      start_date = start
      end_date = end
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
