import DataModel
import SchemaFormats

/// A change in front of a row of the impact table, with what its sentence may name.
struct ImpactSite {
  let change: SchemaChange
  let pair: LintPair

  /// The part that changed.
  var element: SchemaElement { change.element }

  /// The part as people write it: the attribute behind a field.
  var shown: SchemaElement {
    guard pair.evolution == nil else { return propertySwitch?.element ?? element }
    return change.kind == .removed ? pair.written(removed: element) : pair.new.written(element)
  }

  /// The entity or record type that the part is or belongs to.
  var owner: String { element.ownerName ?? "" }

  /// Where the part stands in the file in hand.
  var location: SourceLocation {
    let place = pair.evolution == nil && pair.new.schema == nil ? element : shown
    return pair.new.document.location(of: place, aspect: change.aspect)
  }

  /// What the feature was.
  var before: AspectValue {
    if case .changed(_, let before, _) = change.kind { before } else { .none }
  }

  /// What the feature is.
  var after: AspectValue {
    if case .changed(_, _, let after) = change.kind { after } else { .none }
  }

  /// The part's old address: under the new entity, with the old name.
  var oldName: String {
    guard case .renamed(let name) = change.kind else { return shown.description }
    return element.kind == .entity ? name : "\(owner).\(name)"
  }
}

extension ImpactSite {
  /// The attribute in both versions.
  var attribute: PropertyPair<Schema.Attribute>? {
    pair.evolution?.attribute(at: element)
  }

  /// The relationship in both versions, where records hold something of it.
  var relationship: PropertyPair<Schema.Relationship>? {
    pair.evolution?.relationship(at: element)
  }

  /// What objects lost with this change, where records hold something of it.
  var loss: PropertyLoss? {
    pair.evolution?.loss(at: element).flatMap { pair.old.isInRecords($0.old) ? $0 : nil }
  }

  /// What objects gained with this change, where records hold something of it.
  var gain: PropertyGain? {
    pair.evolution?.gain(at: element).flatMap { pair.new.isInRecords($0.new) ? $0 : nil }
  }

  /// What this attribute or relationship has become, where it is now the other one of the two.
  var propertySwitch: PropertySwitch? {
    pair.evolution?.switched.first { $0.old.element(in: owner) == element }
  }

  /// The entity in both versions.
  var entity: (old: Schema.Entity, new: Schema.Entity)? {
    pair.matching?.pair(ofNew: owner)
  }
}

extension Property {
  /// What an object shows that newer apps made without this property.
  var shownWhenMissing: String {
    if case .attribute(let attribute) = self, !attribute.isOptional,
      let value = attribute.defaultValue
    {
      return "show \(value.shown)"
    }
    return "show nothing there"
  }
}
