import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

@testable import SyncClient

/// What a comparison came to, and what it cost.
struct VerifyRun {
  var report: SyncVerification
  /// The operations that were asked for, in order.
  var calls: [String]
  /// How many bytes went both ways.
  var bytes: Int

  /// The differences as texts: kind, type, fields, and whether they were repaired.
  var shown: [String] {
    report.differences.map { difference in
      "\(difference.kind) \(difference.recordType)"
        + (difference.fields.isEmpty ? "" : " [\(difference.fields.joined(separator: " "))]")
        + (difference.isRepaired ? " repaired" : "")
    }
  }
}

extension Device {
  /// Compares the device with its server.
  func verify(repair: Bool = false) async throws -> VerifyRun {
    let verifier = SyncVerifier(session, isRepairing: repair)
    var run = VerifyRun(report: SyncVerification(), calls: [], bytes: 0)
    var work = try verifier.begin(now: hall.now())
    while true {
      switch work {
      case .done(let report):
        run.report = report
        return run
      case .call(let call):
        run.calls.append(call.path)
        let reply = await hall.send(call)
        run.bytes += call.body.count
        if case .success(let reply) = reply { run.bytes += reply.body.count }
        work = try verifier.finish(reply, now: hall.now())
      }
    }
  }

  /// Changes the file behind sync's back, and the store's.
  func tamper(_ sql: String) throws {
    try store.write(author: SyncAuthor.name) { try $0.connection.execute(sql) }
  }

  /// Changes a confirmed record in the server's eyes only: what it has becomes something else than what
  /// was confirmed here.
  func tamperBase(_ body: (SyncRows) throws -> Void) throws {
    try session.write { _, rows in try body(rows) }
  }

  /// The log, the oldest first, as kinds and details.
  func log(_ kinds: Set<SyncLogEntry.Kind>) throws -> [String] {
    try store.syncLog(limit: 1_000).reversed().compactMap { entry in
      guard let kind = SyncLogEntry.Kind(rawValue: entry.kind), kinds.contains(kind) else {
        return nil
      }
      return "\(entry.kind) \(entry.detail ?? "")"
    }
  }
}
