public import DataModel

/// What one record that is to be saved names: its type, and the fields with the types of their values.
public struct SavedShape: Hashable, Sendable {
  /// A field that is to be set.
  public struct Field: Hashable, Sendable {
    /// The field's name.
    public var name: String
    /// What its value tells of its type.
    public var value: WireValueType

    /// Names a field and what is sent for it.
    public init(_ name: String, _ value: WireValueType) {
      self.name = name
      self.value = value
    }
  }

  /// The record's type.
  public var type: String
  /// The fields that are to be set.
  public var fields: [Field]
  /// Whether it is for the public database, which holds nothing encrypted.
  public var isPublic: Bool

  /// Describes a record.
  public init(type: String, fields: [Field], isPublic: Bool = false) {
    self.type = type
    self.fields = fields
    self.isPublic = isPublic
  }
}

/// What a schema says to a record that is to be saved.
public enum SaveCheck: Hashable, Sendable {
  /// It knows the type and all fields, and the values fit.
  case fits
  /// The record fits once this is added.
  case extends(SchemaAddition)
  /// The record cannot be saved; each reason names its field.
  case refused([SchemaRefusal])
}

/// What a save in development adds to the schema.
public struct SchemaAddition: Hashable, Sendable {
  /// The record type, which is new when the schema lacks it.
  public var type: String
  /// Fields that are new, and numbers that have settled on a kind.
  public var fields: [RecordSchema.Field]
}

extension ResolvedSchema {
  /// Whether a record can be saved; the answer for a record that fits costs one look-up per field.
  public func check(_ record: SavedShape) -> SaveCheck {
    guard let type = types[record.type] else { return checkUnknownType(record) }
    for field in record.fields where !type.fits(field, isPublic: record.isPublic) {
      return SaveJudge(type, environment).check(record)
    }
    return .fits
  }

  private func checkUnknownType(_ record: SavedShape) -> SaveCheck {
    let name = record.type.shownName
    let subject = SchemaElement.recordType(name)
    guard environment == .development else {
      return .refused([
        SchemaRefusal(
          .unknownType, subject, "Cannot create new type \(name) in production schema",
          fix: "save such a record in development, then promote the schema")
      ])
    }
    if let problem = NewName.problem(with: record.type) {
      return .refused([NewName.refusal(subject, problem)])
    }
    guard types.count < SchemaLimits.typesMax else {
      return .refused([
        RecordSchema.excess(.schema, "record types", types.count + 1, SchemaLimits.typesMax)
      ])
    }
    guard case .refused(let refusals) = SaveJudge(unknownType, environment).check(record) else {
      let fields = SaveJudge(unknownType, environment).additions(for: record)
      return .extends(SchemaAddition(type: record.type, fields: fields))
    }
    return .refused(refusals)
  }
}

extension ResolvedType {
  /// Whether nothing needs a closer look.
  fileprivate func fits(_ field: SavedShape.Field, isPublic: Bool) -> Bool {
    guard let known = fields[field.name] else { return false }
    return known.takes(field.value) && !known.isSystem && !known.isUnsettled
      && !(isPublic && known.shape.isEncrypted)
  }
}
