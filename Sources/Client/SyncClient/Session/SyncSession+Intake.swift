import ObjectStore
import SyncCore

// History is taken into the outbox by every step that merges or sends, in the step's own transaction. Where
// there is much of it, most is taken in before, in transactions of its own, so that other writers are not kept
// waiting: after the first setup, after an import, after a long time without sync.
extension SyncSession {
  func takeInAhead(_ now: Int64) throws {
    var moment: HistoryIntake.Moment?
    while try read({ try $0.hasMuchUnread() }) {
      let isAtEnd = try write { _, rows in
        var intake = try intake(rows, try zone(rows))
        // The rest of a transaction has the moment of its beginning.
        intake.moment = moment
        let isAtEnd = try intake.advanceAll(at: now)
        moment = intake.moment
        try keep(intake)
        return isAtEnd
      }
      if isAtEnd { return }
    }
  }

  func intake(_ rows: SyncRows, _ zone: ZoneRow) throws -> HistoryIntake {
    HistoryIntake(
      rows, objects, zone: zone.number, device: device, clock: try clock(rows), names: names)
  }

  func keep(_ intake: HistoryIntake) throws {
    names = intake.names
    try intake.rows.set(.clock, Int64(bitPattern: intake.clock.last.rawValue))
  }
}

extension SyncRows {
  /// Whether more is to be taken in than one transaction shall.
  fileprivate func hasMuchUnread() throws -> Bool {
    if try nextBackfill() != nil { return true }
    let unread = try connection.newestHistory().change - (integer(.cursorChange) ?? 0)
    return unread > HistoryIntake.objectsMax
  }
}
