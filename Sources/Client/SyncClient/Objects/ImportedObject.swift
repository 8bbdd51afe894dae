public import RecordWire

/// What became of a record that was put into the store.
public struct ImportedObject: Hashable, Sendable {
  /// The object's key.
  public var key: Int64
  /// Whether the store has changed.
  public var isChanged = true
  /// Values that the object could not take.
  public var unfit: [UnfitField] = []
  /// References to records that are not here: the relationship is empty until they are.
  public var waiting: [WaitingReference] = []
  /// Values that are in files: the attribute stays as it is until `ObjectWriter.setFile`.
  public var files: [AwaitedFile] = []

  /// The file beside the store that has the value that `ObjectWriter.setFile` set; nil where it is in the
  /// object's row.
  var storedName: String?

  init(key: Int64) { self.key = key }
}

/// A reference to a record that is not here yet.
public struct WaitingReference: Hashable, Sendable {
  /// The field of the to-one relationship.
  public var field: String
  /// The number that history knows the relationship by.
  public var property: Int
  /// The name of the record.
  public var target: String
}

/// A value that has to be fetched.
public struct AwaitedFile: Hashable, Sendable {
  /// The field of type ASSET.
  public var field: String
  /// The field for small values, which is empty; nil where there is none.
  public var plainField: String?
  /// Where the file is.
  public var asset: RecordAsset
}
