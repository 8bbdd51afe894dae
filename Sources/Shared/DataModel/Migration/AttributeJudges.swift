extension MigrationContext {
  static let attributeJudges: [JudgeKey: Judge] = Dictionary(
    uniqueKeysWithValues: [SchemaElement.Kind.attribute, .member].flatMap { kind in
      attributeRows.map { (JudgeKey(kind, $0.event), $0.judge) }
        + storedValueRows.map { (JudgeKey(kind, $0.event), ofStoredValues($0.judge)) }
    })

  private static let attributeRows: [(event: JudgeKey.Event, judge: Judge)] = [
    (.added, judgeAddedAttribute), (.removed, judgeRemovedAttribute), (.changed(.type), judgeType),
    (.renamed, { _, _ in .automatic("recognised by its renaming identifier") }),
    (
      .changed(.defaultValue),
      { _, _ in .automatic("new objects start with it; existing ones keep their values") }
    ),
    (.changed(.isTransient), judgeStoredness), (.changed(.ephemeral), judgeStoredness),
    (.changed(.spotlight), { _, _ in .automatic("the search index is brought up to date") }),
    (
      .changed(.transformerName),
      { _, _ in
        .automatic("stored bytes stay; the new transformer must read what the old one wrote")
      }
    ),
    (.changed(.derivation), judgeDerivation),
    (.changed(.minimumValue), judgeValidation), (.changed(.maximumValue), judgeValidation),
    (.changed(.pattern), judgeValidation),
  ]

  /// What concerns values that are there, and so only attributes that had and have some.
  private static let storedValueRows: [(event: JudgeKey.Event, judge: Judge)] = [
    (.changed(.isOptional), judgeAttributeOptionality),
    (.changed(.compositeName), judgeCompositeType),
    (
      .changed(.externalStorage),
      { _, _ in
        .needsStage("values must be moved between files beside the store and the store itself")
      }
    ),
    (
      .changed(.mergeableStorage),
      { _, _ in .needsStage("values must be written anew in the other form") }
    ),
  ]

  private static func ofStoredValues(_ judge: @escaping Judge) -> Judge {
    { change, context in
      guard let before = context.oldAttribute(change.element),
        let after = context.newAttribute(change.element)
      else { return .automatic("the store keeps its data as it is") }
      return before.holdsSetValues && after.holdsSetValues
        ? judge(change, context) : .automatic("no value that was set is kept for it")
    }
  }

  private static let judgeValidation: Judge = { _, _ in
    .automatic("existing values are checked when their object is saved next")
  }

  private static let judgeAddedAttribute: Judge = { change, context in
    guard let attribute = context.newAttribute(change.element) else {
      return .automatic("a new column")
    }
    guard case .attribute(let entity, _) = change.element else {
      return judgeNewValues(of: attribute)
    }
    return context.attributeKind.judgeAdded(attribute, to: entity)
  }

  /// What existing objects get for an attribute that they had not.
  static func judgeNewValues(of attribute: Schema.Attribute) -> Judgment {
    if attribute.type == .undefined || attribute.type == .objectID {
      return .refused("a store keeps no values of type \(attribute.type)")
    }
    if !attribute.isStored { return .automatic("nothing is stored for it") }
    if attribute.derivation != nil { return .automatic("computed for existing objects") }
    if attribute.isOptional { return .automatic("existing objects have no value") }
    if let value = attribute.defaultValue {
      return .automatic("existing objects get the default value \(value.shown)")
    }
    return .needsStage("required without a default value: existing objects would have none")
  }

  private static let judgeRemovedAttribute: Judge = { change, context in
    guard let attribute = context.oldAttribute(change.element), attribute.isStored,
      attribute.derivation == nil
    else { return .automatic("nothing was stored for it") }
    guard case .attribute(let entity, _) = change.element,
      let owner = context.attributes.oldName(of: entity)
    else {
      return .automatic(
        "its values are dropped", loss: "the values of \(change.element)")
    }
    return context.attributeKind.judgeRemoved(attribute, from: owner, as: change.element)
  }

  private static let judgeType: Judge = { change, context in
    guard let before = context.oldAttribute(change.element),
      let after = context.newAttribute(change.element)
    else { return .automatic("the store keeps its data as it is") }
    if after.type == .undefined || after.type == .objectID {
      return .refused("a store keeps no values of type \(after.type)")
    }
    guard before.holdsSetValues, after.holdsSetValues else {
      // Core Data's inference compares the types of transient attributes like all others.
      return context.rule == .strict
        ? .needsStage("type changed from \(before.type) to \(after.type)")
        : .automatic("no value that was set is kept for it")
    }
    let isLossless = losslessWidenings[before.type]?.contains(after.type) == true
    if isLossless, context.rule == .lenient {
      return .automatic("every \(before.type) value fits \(after.type)")
    }
    return .needsStage(
      isLossless
        ? "type changed from \(before.type) to \(after.type)"
        : "not every \(before.type) value fits \(after.type)",
      loss: isLossless ? nil : "values of \(change.element) that do not convert")
  }

  /// Numeric types whose every value the other type holds exactly.
  private static let losslessWidenings: [Schema.AttributeType: Set<Schema.AttributeType>] = [
    .integer16: [.integer32, .integer64, .float, .double, .decimal],
    .integer32: [.integer64, .double, .decimal],
    .integer64: [.decimal],
    .float: [.double],
  ]

  private static let judgeAttributeOptionality: Judge = { change, context in
    guard let attribute = context.newAttribute(change.element), !attribute.isOptional,
      attribute.isStored
    else {
      return .automatic("existing values stay")
    }
    if let value = attribute.defaultValue {
      return .automatic("objects without a value get the default value \(value.shown)")
    }
    return .needsStage("required without a default value: objects without a value would be invalid")
  }

  private static let judgeCompositeType: Judge = { change, context in
    let before = context.oldAttribute(change.element)?.compositeName
    let after = context.newAttribute(change.element)?.compositeName
    if let before, let after, context.old.hasSameParts(before, as: after, of: context.new) {
      return .automatic("the parts are the same, and only their type has another name")
    }
    return .needsStage(
      "the members of another composite type are other columns",
      loss: "the values of \(change.element)")
  }

  private static let judgeStoredness: Judge = { change, context in
    guard let attribute = context.newAttribute(change.element), attribute.isStored else {
      return .automatic("no longer stored", loss: "the values of \(change.element)")
    }
    return judgeNewValues(of: attribute)
  }

  private static let judgeDerivation: Judge = { change, context in
    guard let attribute = context.newAttribute(change.element) else {
      return .automatic("the store keeps its data as it is")
    }
    if attribute.derivation == nil {
      return .automatic("the computed values stay, and can be set from now on")
    }
    let wasSet = context.oldAttribute(change.element)?.derivation == nil
    return .automatic(
      "computed anew for existing objects",
      loss: wasSet ? "the values that were set for \(change.element)" : nil)
  }
}

extension Schema.Attribute {
  /// Whether a store keeps what code sets it to.
  fileprivate var holdsSetValues: Bool { isStored && derivation == nil }
}
