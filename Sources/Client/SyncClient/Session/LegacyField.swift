import DataModel
public import RecordWire

/// A field that older versions of a program read, and that this one has no attribute for any more: it is made
/// of the fields that took its place, and sent whenever one of those is.
///
/// ```swift
/// configuration.legacyFields = [
///   LegacyField("duration", of: "Entry", from: ["hours"]) { fields in
///     guard case .int64(let hours)? = fields["hours"]?.value else { return .null }
///     return .string("\(hours):00")
///   }
/// ]
/// ```
///
/// It has the moment of the edit that it is made of, so that what an older program writes there later stays,
/// until one of its sources is edited again.
public struct LegacyField: Sendable {
  /// The field's name.
  public var name: String
  /// The type of the records that have it.
  public var recordType: String
  /// The fields that it is made of.
  public var sources: [String]
  /// Its value, of all fields that a record has.
  ///
  /// Every device makes it: the same fields must give the same value.
  public var value: @Sendable (RecordFields) -> RecordValue

  /// Describes a field that older versions read.
  public init(
    _ name: String, of recordType: String, from sources: [String],
    value: @escaping @Sendable (RecordFields) -> RecordValue
  ) {
    self.name = name
    self.recordType = recordType
    self.sources = sources
    self.value = value
  }
}

extension ObjectRecords {
  /// The fields for older versions that an edit of some fields changes too.
  func legacyFields(of recordType: String, after edited: [String]) -> [String] {
    legacyFields.filter { legacy in
      legacy.recordType.utf8.elementsEqual(recordType.utf8)
        && legacy.sources.contains { source in
          edited.contains { $0.utf8.elementsEqual(source.utf8) }
        }
    }.map(\.name)
  }

  /// Whether this program can say what a field is: others it only keeps, for those who can.
  func writes(_ field: String, of recordType: String) -> Bool {
    mapping.schema.type(recordType)?.field(field) != nil
      || legacyFields.contains { legacy in
        legacy.recordType.utf8.elementsEqual(recordType.utf8)
          && legacy.name.utf8.elementsEqual(field.utf8)
      }
  }

  /// A record's fields with those for older versions.
  func withLegacyFields(_ fields: RecordFields, of recordType: String) -> RecordFields {
    var all = fields
    for legacy in legacyFields where legacy.recordType.utf8.elementsEqual(recordType.utf8) {
      let value = legacy.value(fields)
      all[legacy.name] = value == .null ? nil : RecordField(value)
    }
    return all
  }
}
