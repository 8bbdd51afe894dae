import DataModel

/// Looks closely at a record that does not fit at first sight.
struct SaveJudge {
  /// What one field of the record comes to.
  private enum Verdict {
    case fits
    case adds(RecordSchema.Field)
    case refused(SchemaRefusal)
  }

  private let type: ResolvedType
  private let environment: SchemaEnvironment

  init(_ type: ResolvedType, _ environment: SchemaEnvironment) {
    self.type = type
    self.environment = environment
  }

  func check(_ record: SavedShape) -> SaveCheck {
    let verdicts = verdicts(on: record)
    let refusals = verdicts.compactMap {
      if case .refused(let refusal) = $0 { refusal } else { nil }
    }
    guard refusals.isEmpty else { return .refused(refusals) }
    let additions = Self.additions(in: verdicts)
    let count = type.countedFields + additions.count { type.fields[$0.name] == nil }
    guard additions.isEmpty || count <= SchemaLimits.fieldsMax else {
      let subject = SchemaElement.recordType(record.type.shownName)
      return .refused([RecordSchema.excess(subject, "fields", count, SchemaLimits.fieldsMax)])
    }
    return additions.isEmpty
      ? .fits : .extends(SchemaAddition(type: record.type, fields: additions))
  }

  /// The fields that the record adds, when nothing of it is refused.
  func additions(for record: SavedShape) -> [RecordSchema.Field] {
    Self.additions(in: verdicts(on: record))
  }

  private static func additions(in verdicts: [Verdict]) -> [RecordSchema.Field] {
    var byName: [String: RecordSchema.Field] = [:]
    for case .adds(let field) in verdicts { byName[field.name] = field }
    return byName.values.sorted { $0.name.precedesInBytes($1.name) }
  }

  private func verdicts(on record: SavedShape) -> [Verdict] {
    // A field that is named twice has to fit what its first mention made.
    var drafts: [String: ResolvedField] = [:]
    return record.fields.map { field in
      let verdict = verdict(
        on: field, of: record, known: drafts[field.name] ?? type.fields[field.name])
      if case .adds(let added) = verdict { drafts[field.name] = ResolvedField(added) }
      return verdict
    }
  }

  private func verdict(
    on field: SavedShape.Field, of record: SavedShape, known: ResolvedField?
  ) -> Verdict {
    let refuse = SaveRefusals(field, type: record.type)
    if known?.isSystem == true || field.name.hasPrefix("___") {
      return .refused(refuse.systemField())
    }
    let isEncrypted = known?.shape.isEncrypted ?? field.value.isEncrypted
    if record.isPublic, isEncrypted, field.value.element != .absent {
      return .refused(refuse.encryptedInPublic())
    }
    guard let known else { return verdict(onUnknown: field, refuse) }
    guard known.takes(field.value) else { return .refused(refuse.mismatch(with: known.shape)) }
    if environment == .development, known.isUnsettled, let kind = field.value.element.settledNumber
    {
      return .adds(
        RecordSchema.Field(
          name: field.name, type: .number, isList: known.shape.isList, indexes: known.indexes,
          preferredNumber: kind))
    }
    return .fits
  }

  private func verdict(onUnknown field: SavedShape.Field, _ refuse: SaveRefusals) -> Verdict {
    guard environment == .development else { return .refused(refuse.unknownInProduction()) }
    if let problem = NewName.problem(with: field.name) { return .refused(refuse.badName(problem)) }
    guard let shape = field.value.created else { return .fits }
    guard !shape.isEncrypted || shape.type.canBeEncrypted else {
      return .refused(refuse.notEncrypted())
    }
    return .adds(.created(field.name, shape))
  }
}

extension RecordSchema.Field {
  /// A field as a save creates it: a number has the indexes of the kind that it settled on.
  fileprivate static func created(_ name: String, _ shape: FieldShape) -> RecordSchema.Field {
    let kind = shape.type == .number ? shape.preferredNumber ?? .double : shape.type
    return RecordSchema.Field(
      name: name, type: shape.type, isList: shape.isList, isEncrypted: shape.isEncrypted,
      indexes: kind.defaultIndexes(isList: shape.isList, isEncrypted: shape.isEncrypted),
      preferredNumber: shape.preferredNumber)
  }
}

/// Which names a save may create.
enum NewName {
  /// Why nothing may be called `name`, as half a sentence; nil when something may.
  ///
  /// What sharing needs has names such as `cloudkit.share`.
  static func problem(with name: String) -> String? {
    guard name.utf8.count <= SchemaLimits.nameBytesMax else {
      return "has a name longer than \(SchemaLimits.nameBytesMax) bytes"
    }
    let bare = name.hasPrefix("cloudkit.") ? String(name.dropFirst("cloudkit.".count)) : name
    return bare.isRecordIdentifier
      ? nil : "has a name that is not a letter followed by letters, digits and underscores"
  }

  static func refusal(_ subject: SchemaElement, _ problem: String) -> SchemaRefusal {
    SchemaRefusal(
      .badName, subject, "\(subject) \(problem)",
      fix: "choose a name of ASCII letters, digits and underscores that begins with a letter")
  }
}
