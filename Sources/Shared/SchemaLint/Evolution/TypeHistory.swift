package import DataModel

/// One part whose values are of another kind than in some promoted version.
package struct TypeChange: Sendable {
  /// The part in the schema in hand.
  package let element: SchemaElement
  /// What follows the address in the message.
  package let message: String
  /// Whether the records' field is of another type, so that production refuses it.
  package let isOfRecords: Bool
}

extension LintPair {
  /// Every part whose values are of another kind now, at objects or at records.
  package var typeChanges: [TypeChange] {
    guard let evolution else { return recordTypeChanges }
    let switches = evolution.switched.map { change in
      TypeChange(
        element: change.element,
        message: "was \(change.old.kindInWords) and is \(change.new.kindInWords)", isOfRecords: true
      )
    }
    return switches + evolution.attributes.compactMap(typeChange)
  }

  private func typeChange(_ pair: PropertyPair<Schema.Attribute>) -> TypeChange? {
    guard pair.differs(\.type), entityVersioned(by: pair) == nil else { return nil }
    let before = old.fieldTypes(of: .attribute(entity: pair.oldEntity, name: pair.old.name))
    let after = new.fieldTypes(of: pair.element)
    // A type that maps to no field, such as undefined, is in no record yet.
    guard !before.isEmpty else { return nil }
    return TypeChange(
      element: pair.element,
      message: "was \(pair.old.type.rawValue) and is \(pair.new.type.rawValue)",
      isOfRecords: before != after)
  }

  private var recordTypeChanges: [TypeChange] {
    recordChanges.compactMap { change in
      guard case .changed(.type, let before, let after) = change.kind else { return nil }
      return TypeChange(
        element: new.written(change.element), message: "was \(before) and is \(after)",
        isOfRecords: true)
    }
  }

  /// The parts of the schema in hand that the promoted version lacks.
  fileprivate var addedElements: Set<SchemaElement> {
    if let evolution {
      let entities = objectChanges.filter { $0.kind == .added && $0.element.kind == .entity }
        .map(\.element)
      return Set(entities + evolution.gained.map(\.element))
    }
    return Set(recordChanges.filter { $0.kind == .added }.map { new.written($0.element) })
  }
}

extension Rule {
  /// A check of changed types, each with whether a promoted version in between lacked the part: then
  /// its name was free, and was taken again.
  static func typeChanges(
    _ check: @escaping @Sendable (_ change: TypeChange, _ isTakenAgain: Bool) -> Bool
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in
      let added = pass.pairs.map(\.addedElements)
      return pass.pairs.enumerated().flatMap { index, pair in
        pair.typeChanges.filter { change in
          check(
            change,
            added[(index + 1)...].contains { missing in
              missing.contains(change.element)
                || change.element.owner.map(missing.contains) == true
            })
        }
        .map { change in
          Offence(
            change.element, .type, "\(change.element) \(change.message)",
            place: pair.new.schema == nil ? change.element : nil, against: pair.old.label)
        }
      }
    }
  }
}
