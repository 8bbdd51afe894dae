public import RecordWire

/// A record as a storage keeps it: what every request needs as columns, and the fields as the bytes that
/// stand in answers.
public struct RecordRow: Hashable, Sendable {
  /// The record's name.
  public var name: String
  /// Its type; of a tombstone the type that it had.
  public var type: String
  /// The number of its last change within its zone, which is its change tag too.
  public var sequence: UInt64
  /// The first number of the commit that made this change.
  public var commit: UInt64
  /// When it was created, and by whom.
  public var created: RecordStamp
  /// When it was changed last, and by whom.
  public var modified: RecordStamp
  /// The fields; empty for a tombstone.
  public var fields: FieldBytes
  /// The name of the record above it in a shared hierarchy.
  public var parent: String?
  /// Whether this is the tombstone of a record.
  public var isDeleted: Bool
  /// Whether there are assets among the fields.
  public var hasAssets = false

  /// Describes a record.
  public init(
    name: String, type: String, sequence: UInt64 = 0, commit: UInt64 = 0, created: RecordStamp,
    modified: RecordStamp, fields: FieldBytes, parent: String? = nil, isDeleted: Bool = false
  ) {
    self.name = name
    self.type = type
    self.sequence = sequence
    self.commit = commit
    self.created = created
    self.modified = modified
    self.fields = fields
    self.parent = parent
    self.isDeleted = isDeleted
  }

  /// The change tag, as clients see it.
  public var changeTag: ChangeTag { ChangeTag(counter: sequence) }
}

extension RecordRow {
  /// How many bytes the fields take.
  public var byteCount: Int { fields.json.count }
}

/// A reference from a record to another, as far as a deletion of the other has to know of it.
public struct ReferenceRow: Hashable, Sendable {
  /// The record that is referred to.
  public var target: RecordKey
  /// What its deletion does: `deleteSelf` or `validate`; others are not kept.
  public var action: RecordReference.Action

  /// Describes a reference.
  public init(to target: RecordKey, _ action: RecordReference.Action) {
    self.target = target
    self.action = action
  }
}

/// A record that is written, with what a storage keeps beside it.
public struct RecordWrite: Hashable, Sendable {
  /// The record; the storage gives it its numbers.
  public var row: RecordRow
  /// Its references whose targets' deletion it has to know of.
  public var references: [ReferenceRow]
  /// The files of its assets, each once; the storage has to have been told of them.
  public let assets: [AssetAddress]
  /// Its entries in the indexes.
  public var entries: [IndexEntry]
  /// How many bytes the fields of the record that is replaced take; 0 where none is.
  public var replacedBytes: Int
  /// The digest of the record that is replaced; nil where none is.
  public let replacedDigest: RecordDigest?

  /// Describes a write; `old` is the live record that is there now, which the zone's digest and the
  /// count of bytes lose.
  public init(
    _ row: RecordRow, references: [ReferenceRow] = [], assets: [AssetAddress] = [],
    entries: [IndexEntry] = [], replacing old: RecordRow? = nil
  ) {
    self.row = row
    self.row.hasAssets = !assets.isEmpty
    self.references = references
    replacedBytes = old?.byteCount ?? 0
    replacedDigest = old?.digest
    self.assets = assets
    self.entries = entries
  }

  /// How many bytes more than before the database has with it; negative where it has fewer.
  public var growth: Int { row.byteCount - replacedBytes }
}
