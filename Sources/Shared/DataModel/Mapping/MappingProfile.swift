/// How objects become records.
public enum MappingProfile: String, Sendable, Hashable, CaseIterable {
  /// Contrail's own layout: one record type for each concrete entity, a field for each attribute.
  case native
  /// The layout of Core Data's mirroring, `NSPersistentCloudKitContainer`: `CD_` types and fields.
  case coreData
}

extension MappingProfile {
  /// How an attribute of one type is held in a record.
  package struct Column: Hashable, Sendable {
    /// What its field holds.
    package var field: RecordSchema.FieldType
    /// What its field holds when the attribute has external storage.
    package var external: RecordSchema.FieldType
    /// Whether a second field takes a value that is too large for the record, as a file.
    package var hasAssetTwin: Bool

    init(
      _ field: RecordSchema.FieldType, external: RecordSchema.FieldType? = nil,
      hasAssetTwin: Bool = false
    ) {
      self.field = field
      self.external = external ?? field
      self.hasAssetTwin = hasAssetTwin
    }
  }

  /// The fields for attributes, by type.
  ///
  /// A type without a row, such as `objectID`, means nothing on another device and is not mapped. In
  /// the native profile a composite has no row, since each of its members has a field of its own.
  package var columns: [Schema.AttributeType: Column] {
    self == .native ? Self.nativeColumns : Self.coreDataColumns
  }

  private static let nativeColumns: [Schema.AttributeType: Column] = [
    .integer16: Column(.int64), .integer32: Column(.int64), .integer64: Column(.int64),
    .boolean: Column(.int64), .double: Column(.double), .float: Column(.double),
    // A double would round a decimal; text keeps every digit.
    .decimal: Column(.string), .string: Column(.string), .uuid: Column(.string),
    .uri: Column(.string), .date: Column(.timestamp),
    .binaryData: Column(.bytes, external: .asset),
    .transformable: Column(.bytes, external: .asset),
  ]

  private static let coreDataColumns: [Schema.AttributeType: Column] = [
    .integer16: Column(.int64), .integer32: Column(.int64), .integer64: Column(.int64),
    .boolean: Column(.int64), .double: Column(.double), .float: Column(.double),
    .decimal: Column(.double), .uuid: Column(.string), .date: Column(.timestamp),
    .string: Column(.string, hasAssetTwin: true), .uri: Column(.string, hasAssetTwin: true),
    .binaryData: Column(.bytes, hasAssetTwin: true),
    .transformable: Column(.bytes, hasAssetTwin: true),
    // The mirroring archives a composite as a whole, as it does a transformable; only the latter is
    // moved to an asset when it is large (OpenCloudData, OCCloudKitSerializer).
    .composite: Column(.bytes),
  ]
}
