/// A part of a world that can be left out, to see what is to blame.
enum Feature: String, CaseIterable, Sendable {
  /// Fields that count what each device adds.
  case counters
  /// Objects that are deleted.
  case deletions
  /// References to one object.
  case toOne
  /// References that both ends have.
  case oneToOne
  /// Objects that several devices make, and that become one by their natural keys.
  case naturalKeys
  /// Pairs of objects.
  case manyToMany
  /// Lists with an order.
  case ordered
  /// Objects that are only ever edited together.
  case units
  /// Devices with a later version of the schema.
  case versions
  /// A server in production, whose schema lacks at first what the later version has.
  case promotion
  /// Requests and answers that get lost.
  case losses
  /// Requests that arrive twice.
  case duplicates
  /// Requests that arrive long after nobody waits for them any more.
  case lateArrivals
  /// Requests that take longer than anybody waits.
  case slowness
  /// Requests that the server refuses as a whole, with any code.
  case refusals
  /// Operations that the server refuses, with any code.
  case itemRefusals
  /// Answers that break off.
  case truncation
  /// Devices that are offline for a while.
  case partitions
  /// Processes that end between two steps.
  case kills
  /// Servers that start anew.
  case restarts
  /// Clocks of devices that are wrong by up to a year.
  case skew
  /// Servers that have nothing beyond the protocol.
  case plainServers
  /// Few records in a page, few operations in a request.
  case smallLimits
  /// Values in files, which are sent and fetched apart from their records.
  case files
  /// Zones that are deleted on the server, or made anew, with all that is in them.
  case zoneLosses
  /// Servers that are put back to what they had some time ago.
  case restores
  /// Servers that forget what was deleted, so that who was away for longer has to read everything again.
  case forgetting
  /// Devices that get the later version of the schema while there is work of the earlier one.
  case upgrades
  /// Objects that become ones for later versions of the program, and ones for all again.
  case laterRecords
  /// Somebody who has failed changes tried again, makes them anew or gives them up.
  case choices
  /// Records in the layout of Core Data's mirroring: without clocks, and with all pairs in one type.
  case coreData

  /// What is drawn from a source of its own, and how often of a thousand, so that worlds without it stay
  /// what they were when it came.
  static let drawnApart: KeyValuePairs<Feature, Int> = [
    .files: 500, .zoneLosses: 150, .restores: 150, .forgetting: 200, .upgrades: 150,
    .laterRecords: 200, .coreData: 150, .choices: 250,
  ]

  /// What records in the layout of Core Data's mirroring have no place for.
  static let nativeOnly: Set<Feature> = [.counters, .ordered]
}
