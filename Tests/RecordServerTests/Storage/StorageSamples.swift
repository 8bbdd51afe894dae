import RecordWire

@testable import RecordServer

/// Keys and rows for tests of storages.
enum Samples {
  static let ann = DatabaseKey.user("_ann")
  static let notes = ZoneKey(ann, "Notes")

  static func row(_ name: String, _ text: String = "", isDeleted: Bool = false) -> RecordRow {
    let stamp = RecordStamp(timestamp: 1_700_000_000_000, userRecordName: "_ann")
    return RecordRow(
      name: name, type: "Note", created: stamp, modified: stamp,
      fields: isDeleted
        ? .empty : FieldBytes(checked: Array(#"{"text":{"value":"\#(text)"}}"#.utf8)),
      isDeleted: isDeleted)
  }

  static func write(_ name: String, _ text: String = "", isDeleted: Bool = false) -> RecordWrite {
    RecordWrite(row(name, text, isDeleted: isDeleted))
  }
}

/// What a client that follows a zone has.
struct FollowingClient {
  private(set) var records: [String: FieldBytes] = [:]
  private(set) var token: SyncToken?
  /// The names told in the pass that is under way, each with its number.
  private var told: [String: UInt64] = [:]
  private var last: UInt64 = 0
  private(set) var problems: [String] = []
  private(set) var isFirstPass = true

  /// Takes a page, and notes what should not be in it.
  mutating func take(_ page: FeedPage<RecordRow>) {
    for row in page.elements {
      if row.sequence <= last { problems.append("\(row.name) \(row.sequence) after \(last)") }
      last = row.sequence
      if let earlier = told.updateValue(row.sequence, forKey: row.name), earlier >= row.sequence {
        problems.append("\(row.name) \(row.sequence) twice")
      }
      if row.isDeleted && page.token.firstPull != nil {
        problems.append("tombstone of \(row.name)")
      }
      records[row.name] = row.isDeleted ? nil : row.fields
    }
    token = page.token
    if !page.isMoreComing { told = [:] }
  }
}
