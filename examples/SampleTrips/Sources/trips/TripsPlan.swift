import Contrail

/// How a store of any version comes to the newest.
///
/// It is brought through the stages one after the other. A process that ends in the middle leaves a store of
/// one version or the other, and the next one goes on from there.
enum TripsPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [TripsVersion1.self, TripsVersion2.self, TripsVersion3.self]
  }

  static var stages: [MigrationStage] { [uniqueNames, betterNames] }

  /// Names can only be made unique where they are: trips that share one become one trip first.
  static let uniqueNames = MigrationStage.custom(
    fromVersion: TripsVersion1.self, toVersion: TripsVersion2.self,
    willMigrate: { context in
      var kept: [String: TripsVersion1.Trip] = [:]
      let byStart = [SortDescriptor(\TripsVersion1.Trip.start_date)]
      for trip in try context.fetch(FetchDescriptor(sortBy: byStart)) {
        guard let first = kept[trip.name] else {
          kept[trip.name] = trip
          continue
        }
        first.bucketList += trip.bucketList
        context.delete(trip)
      }
      try context.save()
    }, didMigrate: nil)

  /// The models say what the dates were called, so nothing is left to do.
  static let betterNames = MigrationStage.lightweight(
    fromVersion: TripsVersion2.self, toVersion: TripsVersion3.self)
}
