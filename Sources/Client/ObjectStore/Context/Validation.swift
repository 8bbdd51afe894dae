import DataModel
import FoundationEssentials

extension ModelContext {
  /// Throws for everything that keeps the changes from being saved, all of it at once.
  public func validate() throws(StoreError) {
    var failures = refusals
    for object in inserted where object.state == .inserted && object.layout.needsValidation {
      failures += object.validationFailures(all: true)
    }
    for object in updated where object.state == .updated && object.layout.needsValidation {
      failures += object.validationFailures(all: false)
    }
    // Objects that did not change themselves, but what refers to them did.
    var seen: Set<ObjectIdentifier> = []
    for object in withRelatedChanges
    where object.state == .clean && object.layout.needsValidation
      && seen.insert(ObjectIdentifier(object)).inserted
    {
      failures += object.validationFailures(all: false)
    }
    for object in deleted where object.state == .deleted { failures += object.deniedDeletions }
    guard let first = failures.first else { return }
    throw failures.count == 1
      ? first
      : StoreError(
        .validation, "save", "\(failures.count) things keep the changes from being saved",
        fix: "mend them and save again; nothing was written", failures: failures)
  }
}

extension ManagedObject {
  fileprivate func validationFailures(all: Bool) -> [StoreError] {
    let row = values()
    var failures: [StoreError] = []
    for slot in layout.requiredSlots where !row.isPresent(slot) && (all || changed.contains(slot)) {
      failures.append(
        StoreError(
          .missingValue, name(slot), "needs a value", fix: "set it, or give it a default"))
    }
    for slot in layout.checkedSlots {
      if layout.slots[slot].relationship != nil {
        failures += relationshipFailures(slot, row, name(slot))
      } else if row.isPresent(slot), all || changed.contains(slot) {
        failures += layout.limitFailures(slot, row, name(slot))
      }
    }
    return failures
  }

  private func name(_ slot: Int) -> String { "\(layout.name).\(layout.slots[slot].name)" }

  private func relationshipFailures(_ slot: Int, _ row: Row, _ name: String) -> [StoreError] {
    guard let relationship = layout.slots[slot].relationship else { return [] }
    let schema = relationship.schema
    guard schema.isToMany else {
      let isMissing =
        layout.slots[slot].kind == .reference
        ? !row.isPresent(slot) || row.reference(slot, layout).object?.isUsable == false
        : relatedObject(slot) == nil
      return isMissing && !schema.isOptional
        ? [StoreError(.missingValue, name, "needs an object", fix: "set it before saving")] : []
    }
    // What was not touched was checked when it was saved.
    guard row.isPresent(slot), state == .inserted || row.related(slot, layout).isChanged else {
      return []
    }
    let count = relatedCount(slot)
    if count == 0 && schema.isOptional { return [] }
    if count < max(schema.minimumCount, schema.isOptional ? 0 : 1), schema.minimumCount > 0 {
      return [
        StoreError(
          .tooFew, name,
          "has \(counted(count, "object")), and needs at least \(schema.minimumCount)")
      ]
    }
    if schema.maximumCount > 0 && count > schema.maximumCount {
      return [
        StoreError(
          .tooMany, name, "has \(counted(count, "object")), and may have \(schema.maximumCount)")
      ]
    }
    return []
  }

  /// What the rule `deny` says against deleting the object.
  fileprivate var deniedDeletions: [StoreError] {
    layout.slots.indices.flatMap { slot -> [StoreError] in
      guard let relationship = layout.slots[slot].relationship,
        relationship.schema.deleteRule == .deny
      else { return [] }
      let count =
        relationship.schema.isToMany
        ? relatedObjects(slot).count : relatedObject(slot) == nil ? 0 : 1
      if count == 0 { return [] }
      return [
        StoreError(
          .deleteDenied, "\(layout.name).\(relationship.schema.name)",
          "still has \(counted(count, "object")), so the object may not be deleted",
          fix: "delete or move them first")
      ]
    }
  }
}

extension EntityLayout {
  /// What keeps an attribute's value from being saved.
  func limitFailures(_ slot: Int, _ row: Row, _ name: String) -> [StoreError] {
    guard let attribute = slots[slot].attribute else { return [] }
    let value = row.value(slot, self)
    return Self.rangeFailures(value, attribute, name)
      + Self.valueFailures(value, attribute, name)
  }

  private static let integerRanges: [Schema.AttributeType: ClosedRange<Int64>] = [
    .integer16: Int64(Int16.min)...Int64(Int16.max),
    .integer32: Int64(Int32.min)...Int64(Int32.max),
  ]

  private static func rangeFailures(
    _ value: FieldValue, _ attribute: Schema.Attribute, _ name: String
  ) -> [StoreError] {
    guard case .integer(let number) = value, let range = integerRanges[attribute.type],
      !range.contains(number)
    else { return [] }
    return [StoreError(.outOfRange, name, "\(number) does not fit \(attribute.type)")]
  }

  private static func valueFailures(
    _ value: FieldValue, _ attribute: Schema.Attribute, _ name: String
  ) -> [StoreError] {
    let validation = attribute.validation
    var failures: [StoreError] = []
    func check(_ size: Double, _ code: StoreError.Code, _ what: @autoclosure () -> String) {
      // A NaN is within no limits.
      if let minimum = validation.minimum.flatMap(Double.init), !(size >= minimum) {
        failures.append(StoreError(code, name, "\(what()) is less than \(minimum.shortened)"))
      }
      if let maximum = validation.maximum.flatMap(Double.init), !(size <= maximum) {
        failures.append(StoreError(code, name, "\(what()) is more than \(maximum.shortened)"))
      }
    }
    switch value {
    case .integer(let number): check(Double(number), .outOfRange, "\(number)")
    case .double(let number): check(number, .outOfRange, "\(number)")
    case .decimal(let number):
      check(Double(number.description) ?? 0, .outOfRange, number.description)
    case .date(let date):
      check(date.timeIntervalSinceReferenceDate, .outOfRange, value.shown)
    case .string(let text):
      check(Double(text.count), .wrongLength, "the length \(text.count)")
      if let pattern = validation.pattern, !text.matchesWhole(pattern) {
        failures.append(StoreError(.noMatch, name, "\(value.shown) does not match \(pattern)"))
      }
    default: break
    }
    return failures
  }
}

extension Double {
  fileprivate var shortened: String {
    Int64(exactly: self).map(String.init) ?? String(self)
  }
}

extension String {
  /// Whether the whole text matches a regular expression; a pattern that is none matches everything,
  /// which the lint reports.
  fileprivate func matchesWhole(_ pattern: String) -> Bool {
    guard let regex = try? Regex(pattern) else { return true }
    return (try? regex.wholeMatch(in: self)) != nil
  }
}
