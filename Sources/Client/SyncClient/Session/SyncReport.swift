/// What a session tells while it works.
public enum SyncReport: Hashable, Sendable {
  /// A change is in another state.
  case fate(ChangeFate)
  /// A unit of changes is too large for one request: others may see it in parts.
  case unitSplit(unit: Int64, records: Int)
  /// A field's value does not fit the attribute; the object goes without it.
  case unfit(record: String, field: String, reason: String)
  /// A file of a record does not come; the object has in the field what it had before, or nothing.
  case fileMissing(record: String, field: String, reason: String)
  /// Two objects with the same natural key became one.
  case unified(kept: String, dropped: String)
}
