public import RecordWire

/// One call of `records/modify`, with all that it depends on.
public struct ModifyCall: Sendable {
  /// What is asked for.
  public var request: ModifyRequest
  /// The zone that it is about.
  public var zone: ZoneKey
  /// Who asks.
  public var caller: RecordCaller
  /// The schema as it is in this transaction.
  public let schema: ContainerSchema
  /// The schema's environment that it is about, ready to be looked up in.
  let resolved: ResolvedSchema
  /// When it is, by whom and on which device.
  public var stamp: RecordStamp
  /// Names for records that come without, one for each operation.
  public var newNames: [String]
  /// The most bytes that the fields of the database's records may take.
  public var bytesMax: Int64 = .max
  /// The most records that refer to one so that they are deleted with it.
  public var deleteSelfSourcesMax: Int = .max
  /// The most references that are followed for all deletions together.
  public var cascadeRecordsMax: Int = .max
  /// Which assets may be saved; nil lets only those pass that a record holds already.
  public var assets: AssetGate?

  /// Describes a call.
  ///
  /// `resolved` is the schema's environment that it is about.
  public init(
    _ request: ModifyRequest, zone: ZoneKey, caller: RecordCaller, schema: ContainerSchema,
    resolved: ResolvedSchema, stamp: RecordStamp, newNames: [String],
    assets: AssetGate? = nil
  ) {
    self.request = request
    self.zone = zone
    self.caller = caller
    self.schema = schema
    self.resolved = resolved
    self.stamp = stamp
    self.newNames = newNames
    self.assets = assets
  }

  /// Whether a failure of one operation is one of all: the default in zones that somebody made, and
  /// nowhere else.
  public var isAtomic: Bool {
    zone.database.scope == .user && zone.name != ZoneIdentity.defaultName
      && request.isAtomic != false
  }
}

/// What became of a call.
public struct ModifyOutcome: Sendable, Hashable {
  /// A record as it is now, or why an operation failed, in the order of the operations.
  public enum Entry: Sendable, Hashable {
    /// The record as it is now.
    case saved(RecordRow)
    /// The name of a record that was deleted, or was not there any more.
    case deleted(String, RecordRow?)
    /// What went wrong with the record of that name.
    case failed(String, RequestFailure)
  }

  /// One entry for each operation.
  public var entries: [Entry]
  /// Records that were deleted with others, since they referred to them so.
  public var cascaded: [RecordRow]
  /// The schema, where the records have added something to it; nil else.
  public var schema: ContainerSchema?
}

/// One operation on its way.
struct ModifyDraft {
  let index: Int
  let name: String
  let kind: RecordOperation.Kind
  /// The record that is there now; nil for a tombstone, or nothing.
  let existing: RecordRow?
  /// The type that the record has or gets.
  let type: String
  /// The fields that are given.
  let fields: RecordFields
  let parent: String?
  /// The references among the given fields whose targets have to know of them.
  let references: [ReferenceRow]
  /// The assets among the given fields that a receipt brought.
  let receivedAssets: [AssetAddress]

  var isDeletion: Bool { kind.rule.isDeletion }
  var exactName: ExactName { ExactName(name) }

  /// Whether a reference stays, in a field that is not given.
  func keeps(_ reference: ReferenceRow) throws -> Bool {
    guard kind.rule.keepsOtherFields, let existing else { return false }
    let given = Set(fields.entries.map(\.name))
    let kept = try existing.fields.fields().entries.filter { !given.contains($0.name) }
    return kept.flatMap(\.field.value.references).contains { found in
      found.action == reference.action
        && found.recordName.utf8.elementsEqual(reference.target.name.utf8)
    }
  }
}
