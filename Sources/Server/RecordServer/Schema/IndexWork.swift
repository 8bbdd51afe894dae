public import DataModel

/// One index of one field.
public struct IndexKey: Hashable, Sendable {
  /// The record type.
  public var type: String
  /// The field.
  public var field: String
  /// The one index meant.
  public var index: RecordSchema.Indexes

  /// Names an index.
  public init(type: String, field: String, index: RecordSchema.Indexes) {
    self.type = type
    self.field = field
    self.index = index
  }
}

/// What a change of the schema leaves to do for a storage's indexes.
public struct IndexWork: Hashable, Sendable {
  /// Indexes that are complete from the start, since no record has a value for them yet.
  public var created: [IndexKey] = []
  /// Indexes that have to be filled from records before a query may use them.
  public var filled: [IndexKey] = []
  /// Indexes that are of no use any more.
  public var dropped: [IndexKey] = []

  /// Nothing to do.
  public init() {}

  /// Whether there is nothing to do.
  public var isEmpty: Bool { created.isEmpty && filled.isEmpty && dropped.isEmpty }
}

extension IndexWork {
  /// What leads from the indexes of one schema to those of the next.
  ///
  /// A field of another shape is another field: the values of the old one are gone. With
  /// `isEmptied`, so are all records.
  package init(from old: RecordSchema, to new: RecordSchema, isEmptied: Bool = false) {
    let before = Self.fields(of: old)
    let after = Self.fields(of: new)
    for (place, field) in after.ordered {
      let known = before.byPlace[place].flatMap { $0.shape.isContinued(by: field.shape) ? $0 : nil }
      let gained = place.keys(of: field.indexes.subtracting(known?.indexes ?? []))
      if known == nil || isEmptied { created += gained } else { filled += gained }
    }
    for (place, field) in before.ordered {
      let kept = after.byPlace[place].flatMap { field.shape.isContinued(by: $0.shape) ? $0 : nil }
      dropped += place.keys(of: field.indexes.subtracting(kept?.indexes ?? []))
    }
  }

  private struct Place: Hashable {
    var type: String
    var field: String

    func keys(of indexes: RecordSchema.Indexes) -> [IndexKey] {
      RecordSchema.Indexes.named.filter { indexes.contains($0.index) }
        .map { IndexKey(type: type, field: field, index: $0.index) }
    }
  }

  private static func fields(
    of schema: RecordSchema
  ) -> (ordered: [(Place, RecordSchema.Field)], byPlace: [Place: RecordSchema.Field]) {
    let ordered = schema.types.flatMap { type in
      type.fields.map { (Place(type: type.name, field: $0.name), $0) }
    }
    return (ordered, Dictionary(ordered, uniquingKeysWith: { first, _ in first }))
  }
}

extension FieldShape {
  /// Whether values of a field of this shape are values of the other: it is the same, or a number
  /// that has settled meanwhile.
  func isContinued(by other: FieldShape) -> Bool {
    if self == other { return true }
    var settled = self
    settled.preferredNumber = other.preferredNumber
    return isUnsettled && settled == other
  }
}
