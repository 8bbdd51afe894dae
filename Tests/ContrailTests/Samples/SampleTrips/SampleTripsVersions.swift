import Contrail
import Synchronization

/// The models of the trips app as they were shipped first.
enum SampleTrips1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] {
    [Trip.self, BucketListItem.self, LivingAccommodation.self]
  }

  @Model final class Trip {
    var name: String
    var destination: String
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var start_date: Date
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var end_date: Date
    @Relationship(deleteRule: .cascade) var bucketList: [BucketListItem] = []
    @Relationship(deleteRule: .cascade) var livingAccommodation: LivingAccommodation?

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

  @Model final class LivingAccommodation {
    var placeName: String
    var trip: Trip?

    init(placeName: String) { self.placeName = placeName }
  }
}

/// In version 2 no two trips have the same name.
enum SampleTrips2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] {
    [Trip.self, BucketListItem.self, LivingAccommodation.self]
  }

  @Model final class Trip {
    @Attribute(.unique) var name: String
    var destination: String
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var start_date: Date
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var end_date: Date
    @Relationship(deleteRule: .cascade) var bucketList: [BucketListItem] = []
    @Relationship(deleteRule: .cascade) var livingAccommodation: LivingAccommodation?

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

  @Model final class LivingAccommodation {
    var placeName: String
    var trip: Trip?

    init(placeName: String) { self.placeName = placeName }
  }
}

/// In version 3 the dates have better names.
enum SampleTrips3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] {
    [Trip.self, BucketListItem.self, LivingAccommodation.self]
  }

  @Model final class Trip {
    @Attribute(.unique) var name: String
    var destination: String
    @Attribute(originalName: "start_date") var startDate: Date
    @Attribute(originalName: "end_date") var endDate: Date
    @Relationship(deleteRule: .cascade) var bucketList: [BucketListItem] = []
    @Relationship(deleteRule: .cascade) var livingAccommodation: LivingAccommodation?
    /// How often the trip was looked at since it was fetched.
    @Transient var tripViews = 0

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

  @Model final class LivingAccommodation {
    var placeName: String
    var trip: Trip?

    init(placeName: String) { self.placeName = placeName }
  }
}

/// How a store of any version comes to the newest.
enum SampleTripsPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [SampleTrips1.self, SampleTrips2.self, SampleTrips3.self]
  }

  static var stages: [MigrationStage] {
    [
      // Names can only be made unique when they are: trips that share one become one trip.
      .custom(
        fromVersion: SampleTrips1.self, toVersion: SampleTrips2.self,
        willMigrate: { context in
          Interruption.step()
          var kept: [String: SampleTrips1.Trip] = [:]
          let byStart = [SortDescriptor(\SampleTrips1.Trip.start_date)]
          for trip in try context.fetch(FetchDescriptor(sortBy: byStart)) {
            guard let first = kept[trip.name] else {
              kept[trip.name] = trip
              continue
            }
            first.bucketList += trip.bucketList
            Interruption.step()
            context.delete(trip)
          }
          Interruption.step()
          try context.save()
          Interruption.step()
        },
        didMigrate: { context in
          Interruption.step()
          for trip in try context.fetch(FetchDescriptor<SampleTrips2.Trip>())
          where trip.destination.isEmpty {
            trip.destination = trip.name
            Interruption.step()
          }
          try context.save()
          Interruption.step()
        }),
      .lightweight(fromVersion: SampleTrips2.self, toVersion: SampleTrips3.self),
    ]
  }
}

/// Ends this process without a word at one of the steps that a migration passes.
enum Interruption {
  private static let left = Mutex<Int?>(nil)

  /// How many steps there are in a migration from version 1.
  static let steps = 8

  /// Ends the process at the step of that number, counted from 1.
  static func prepare(at step: Int) { left.withLock { $0 = step } }

  static func step() {
    left.withLock { left in
      guard let next = left else { return }
      left = next - 1
      if next == 1 { kill(getpid(), SIGKILL) }
    }
  }
}
