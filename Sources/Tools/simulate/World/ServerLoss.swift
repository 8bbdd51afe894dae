/// A way in which a server loses what it had.
enum ServerLoss: String, CaseIterable, Sendable {
  /// Somebody deletes the zone.
  case zoneDeleted
  /// Somebody deletes the zone, and makes it anew.
  case zoneReset
  /// All of the user's zones are deleted.
  case purged
  /// Nothing is lost yet: what there is now may come back later.
  case backedUp
  /// The server has again what was backed up.
  case restored
  /// The same, and its zones tell by their epochs that they are others.
  case restoredAnew
  /// What was deleted long ago is known to be deleted no more.
  case forgotten

  /// Those that take zones away.
  static let ofZones: [ServerLoss] = [.zoneDeleted, .zoneReset, .purged]
}
