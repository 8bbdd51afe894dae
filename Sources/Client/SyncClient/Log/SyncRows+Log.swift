import JSONStream
import RecordWire
import SyncCore

// What is written into the log, each in the transaction that does what it tells of.
extension SyncRows {
  /// Writes down what became of changes and records, as far as somebody may ask about it later.
  func log(_ reports: [SyncReport], at time: Int64) throws {
    for report in reports {
      switch report {
      case .fate(let fate): try log(fate, at: time)
      case .unitSplit(let unit, let records):
        try log(.split, nil, ["unit": .whole(unit), "records": .whole(Int64(records))], at: time)
      case .unfit(let record, let field, let reason):
        try log(
          .unfit, record, ["field": .string(field), "reason": .string(reason)], at: time)
      case .fileMissing(let record, let field, let reason):
        try log(
          .fileMissing, record, ["field": .string(field), "reason": .string(reason)], at: time)
      case .unified(let kept, let dropped):
        try log(.unified, kept, ["dropped": .string(dropped)], at: time)
      }
    }
  }

  /// What was sent, or lost nothing, is in the records themselves; what was overruled is written down
  /// with its values by who knows them.
  private func log(_ fate: ChangeFate, at time: Int64) throws {
    switch fate.outcome {
    case .sent, .absorbed, .overruled, .discarded, .pending: break
    case .parked(let fields):
      try log(
        .parked, fate.recordName,
        [
          "type": .string(fate.recordType),
          "fields": .list(fields),
        ], at: time)
    case .failed(let code, let reason):
      var members = [
        JSONMember("type", .string(fate.recordType)), JSONMember("code", .string(code)),
        JSONMember("reason", .string(reason)),
      ]
      if let kept = try kept(of: fate.recordName) { members.append(JSONMember("lost", kept)) }
      let isDeleted = code == SyncFailureCode.deletedRemotely
      try log(
        isDeleted ? .deletedRemotely : .failed, fate.recordName, JSONValue(.object(members)),
        at: time)
    }
  }

  /// The values of a change that failed with its record.
  private func kept(of name: String) throws -> JSONValue? {
    for zone in try zones() {
      guard let record = try record(named: name, zone: zone.number),
        let failed = try change(of: record.number, state: .failed),
        failed.code == SyncFailureCode.deletedRemotely, let kept = failed.kept
      else { continue }
      return try JSONValue(reading: kept.json)
    }
    return nil
  }

  /// Writes down edits that lost against others, with both values.
  func log(
    overruled settled: [RecordMerge.Settled], of record: RecordRow, at time: Int64
  ) throws {
    if settled.isEmpty { return }
    let lost = RecordFields(settled.map { ($0.edit.name, RecordField($0.edit.value)) })
    let won = RecordFields(settled.map { ($0.edit.name, RecordField($0.server)) })
    try log(
      .overruled, record.name,
      ["type": .string(record.type), "lost": try .fields(lost), "won": try .fields(won)],
      at: time)
  }

  /// Writes down that a change was given up, with what its object was.
  func log(discarded record: RecordRow, _ fields: RecordFields?, at time: Int64) throws {
    let lost = try JSONValue.fields(fields ?? RecordFields())
    try log(.discarded, record.name, ["type": .string(record.type), "lost": lost], at: time)
  }

  /// Writes down that a policy has to decide.
  func log(_ trouble: Trouble, at time: Int64) throws {
    try log(.trouble, nil, ["trouble": .string(trouble.rawValue)], at: time)
  }

  /// Writes down the end of a pass; one that did nothing takes the place of one before it that ended in
  /// the same way, so that quiet days do not push out what matters.
  func log(_ end: SyncMachine.PassEnd, at time: Int64) throws {
    let tally = end.tally
    let detail: JSONValue = [
      "outcome": .string("\(end.outcome)"), "pushed": .whole(Int64(tally.pushed)),
      "pulled": .whole(Int64(tally.pulled)), "merged": .whole(Int64(tally.merged)),
      "unified": .whole(Int64(tally.unified)),
    ]
    if let last = try log(limit: 1).first, last.kind == SyncLogEntry.Kind.pass.rawValue,
      tally == SyncTally(), last.detail == String(decoding: try detail.bytes(), as: UTF8.self)
    {
      return try run(
        "UPDATE contrail_sync_event SET time = ?2 WHERE number = ?1", last.number, time)
    }
    try log(.pass, nil, detail, at: time)
  }
}

extension JSONValue {
  static func string(_ text: String) -> JSONValue { JSONValue(.string(text)) }
  static func list(_ texts: [String]) -> JSONValue { JSONValue(.array(texts.map { .string($0) })) }
  static func whole(_ number: Int64) -> JSONValue { JSONValue(.number(.integer(number))) }

  /// Fields as the wire spells them.
  static func fields(_ fields: RecordFields) throws -> JSONValue {
    try JSONValue(reading: try FieldBytes(fields).json)
  }

  /// The value as bytes, without blanks.
  func bytes() throws -> [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return try writer.finish()
  }
}

extension SyncSession {
  /// Writes down the end of a pass: drivers say so when the machine does.
  func noteEnd(_ end: SyncMachine.PassEnd, now: Int64) throws {
    try write { _, rows in
      try rows.log(end, at: now)
      try rows.noteObstacle(of: end.outcome, at: now)
    }
  }
}
