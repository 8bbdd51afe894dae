import JSONStream

/// How much of a message is accepted, each limit by its name.
public struct WireLimits: Hashable, Sendable {
  /// The most operations, records, tokens or zones in one list.
  public var itemsMax: Int
  /// The most operations of a request that says `contrailBatch`.
  public var batchItemsMax: Int
  /// The most fields of a record.
  public var fieldsMax: Int
  /// The most bytes of a record: names and values of its fields, without its assets' own bytes.
  public var recordBytesMax: Int
  /// The longest name of a record, zone, type, field or user.
  public var nameBytesMax: Int
  /// The longest token, marker or change tag.
  public var tokenBytesMax: Int
  /// The most elements of a list value.
  public var listElementsMax: Int
  /// The most filters and the most sort orders of a query, and the most names of desired keys and types.
  public var clausesMax: Int
  /// The deepest nesting of objects and arrays.
  public var depthMax: Int
  /// The longest message.
  public var messageBytesMax: Int
  /// Whether names with control characters are refused: a NUL ends a name too early for whoever takes it for
  /// a C string, and others end lines of logs.
  public var refusesControls: Bool
  /// Whether values of types that this version does not know are kept, not refused.
  public var keepsUnknownTypes: Bool

  /// What a server accepts.
  public static let request = WireLimits(
    itemsMax: 200, batchItemsMax: 1_000, fieldsMax: 256, recordBytesMax: 1 << 20, nameBytesMax: 255,
    tokenBytesMax: 4_096, listElementsMax: 65_536, clausesMax: 256, depthMax: 16,
    messageBytesMax: 64 << 20, refusesControls: true, keepsUnknownTypes: false)

  /// What a client accepts: larger pages and records than it could send, for a server may allow more.
  public static let response = WireLimits(
    itemsMax: 100_000, batchItemsMax: 100_000, fieldsMax: 4_096, recordBytesMax: 64 << 20,
    nameBytesMax: 1_024,
    tokenBytesMax: 64 << 10, listElementsMax: 1 << 20, clausesMax: 256, depthMax: 64,
    messageBytesMax: 256 << 20, refusesControls: false, keepsUnknownTypes: true)

  /// The limits of the text itself.
  var json: JSONLimits {
    JSONLimits(
      depthMax: depthMax, textBytesMax: messageBytesMax, stringBytesMax: messageBytesMax,
      numberBytesMax: 64)
  }
}
