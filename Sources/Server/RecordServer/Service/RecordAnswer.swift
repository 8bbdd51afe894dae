import RecordWire

/// How the records of an answer shall look.
struct AnswerShape: Sendable {
  /// The fields that are wanted; nil means all.
  var desiredKeys: DesiredKeys?
  /// Whether numbers are spelled as strings.
  var numbersAsStrings = false
  /// What gives files an address; nil for a server without assets.
  var assets: AssetReading?

  /// The row as an answer has it.
  func record(_ row: RecordRow, in zone: ZoneIdentity) throws -> Record {
    if row.isDeleted { return tombstone(row, in: zone) }
    var record = Record(
      recordName: row.name, recordType: row.type, changeTag: row.changeTag, zone: zone)
    record.content = .wire(try fields(of: row))
    record.created = row.created
    record.modified = row.modified
    record.parent = row.parent.map { RecordLink(recordName: $0) }
    return record
  }

  /// The row as a feed has it.
  func record(_ seen: SeenRow, in zone: ZoneIdentity) throws -> Record {
    guard seen.hasLeft else { return try record(seen.row, in: zone) }
    let identity = RecordIdentity(recordName: seen.row.name, zone: zone)
    return .left(identity, recordType: seen.row.type)
  }

  /// The row as somebody is told who may write it and not read it: that it is there, and in which state.
  func receipt(_ row: RecordRow, in zone: ZoneIdentity) -> Record {
    var record = Record(
      recordName: row.name, recordType: row.type, changeTag: row.changeTag, zone: zone)
    record.modified = row.modified
    return record
  }

  private func tombstone(_ row: RecordRow, in zone: ZoneIdentity) -> Record {
    var record = Record.tombstone(
      RecordIdentity(recordName: row.name, zone: zone),
      recordType: row.type.isEmpty ? nil : row.type, changeTag: row.changeTag)
    record.modified = row.modified
    return record
  }

  private func fields(of row: RecordRow) throws -> FieldBytes {
    // Who has saved records mostly wants to know that they are.
    if let desiredKeys, desiredKeys.names.isEmpty { return .empty }
    var fields = try assets?.fields(of: row) ?? row.fields
    if let desiredKeys { fields = try fields.filtered(by: desiredKeys) }
    return numbersAsStrings ? try fields.spellingNumbersAsStrings() : fields
  }
}
