import DataModel
import RecordWire
import SyncClient

/// A world after everything: all devices with what they remember, and what the server has.
struct QuietMoment {
  let world: World
  let inspections: [SyncInspection]
  let observer: Observer
  /// The server's digest; nil where it has none.
  let digest: ZoneDigestState?

  /// The live record of an object, by what tells it; nil where there is none.
  let records: [String: (name: String, record: Observer.Live)]

  /// The records of which something is failed still.
  let failedNames: Set<String>

  /// Whether anything has failed for good.
  var hasFailures: Bool { !failedNames.isEmpty || !world.exempt.spoiledNames.isEmpty }

  /// Whether it can be told which edit is the last: not without clocks, where a value that was sent, without an
  /// answer, and then written over looks like one that never arrived.
  var canTellEdits: Bool { world.options.profile == .native }

  /// Whether a field may have no value, though values were written: all of them are lost, or it cannot be told that
  /// nothing is what a server had before it lost them.
  func mayBeNothing(_ place: Ledger.Place) -> Bool {
    world.ledger.isAllLost(place) || !canTellEdits && world.exempt.hasLosses
  }

  /// What a record has in a property.
  func value(_ property: String, of record: Observer.Live) -> RecordValue {
    world.hall.names.value(property, in: record.fields)
  }

  /// Whether a record need not be what people did: a change of it has failed, what it was before a restoration
  /// came again, or it was deleted and may be there again.
  func isExempt(_ name: String, _ uid: String) -> Bool {
    let exempt = world.exempt
    return exempt.spoiledNames.contains(name) || failedNames.contains(name)
      || exempt.repeatedNames.contains(name)
      || (world.ledger.deleted.contains(uid) && exempt.mayRise(name))
  }

  init(_ world: World, _ digest: ZoneDigestState?) throws {
    self.world = world
    self.digest = digest
    observer = world.observer
    inspections = try world.devices.compactMap { try $0.session?.inspection() }
    failedNames = Set(inspections.flatMap(\.records).filter(\.hasFailed).map(\.name))
    var records: [String: (name: String, record: Observer.Live)] = [:]
    for (name, record) in world.observer.live {
      if case .string(let uid) = world.hall.names.value("uid", in: record.fields) {
        records[uid] = (name, record)
      }
    }
    self.records = records
  }
}

/// What has to hold in the end: one row, one file.
struct QuietCheck: Sendable {
  let name: String
  /// What is wrong; nil where nothing is.
  let find: @Sendable (QuietMoment) throws -> String?

  static let rows = [
    QuietCheck(name: "equality", find: EqualityCheck.find),
    QuietCheck(name: "digests", find: DigestCheck.find),
    QuietCheck(name: "last edits", find: EditCheck.find),
    QuietCheck(name: "files", find: FileCheck.find),
    QuietCheck(name: "counts", find: CountCheck.find),
    QuietCheck(name: "deletions", find: DeletionCheck.find),
    QuietCheck(name: "keys", find: KeyCheck.find),
  ]
}

extension World {
  func checkQuiet() async throws {
    let moment = try QuietMoment(self, try await hall.digest())
    for check in QuietCheck.rows {
      if let found = try check.find(moment) { throw fail(check.name, found) }
    }
    try await checkEcho()
  }

  /// After everything is the same nobody has anything to say.
  private func checkEcho() async throws {
    let (pushes, token) = (pushCount, observer.token)
    for device in devices { try await pass(device) }
    try await observer.read(hall)
    if pushCount > pushes {
      throw fail("echo", "\(pushCount - pushes) pushes with nothing to push")
    }
    if observer.token != token { throw fail("echo", "the server's records have changed") }
  }
}
