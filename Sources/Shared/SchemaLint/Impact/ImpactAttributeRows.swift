import DataModel

extension ImpactRow {
  static let attributeRows: [ImpactRow] =
    [
      ImpactRow(.attribute, .added, .unseen) { $0.sentenceOfGain },
      ImpactRow(.attribute, .removed, .different) { $0.sentenceOfSwitch },
      ImpactRow(.attribute, .removed, .stale) { $0.sentenceOfLoss },
      ImpactRow(.attribute, .renamed, .stale) { site in
        site.attribute.map {
          "goes on showing \(site.oldName), and newer apps fill \(site.element) in its place: "
            + "objects that they make \(Property.attribute($0.old).shownWhenMissing)"
        }
      },
      ImpactRow(.attribute, .changed(.isTransient), .stale) {
        $0.sentenceOfLoss ?? $0.sentenceOfGain
      },
      ImpactRow(.attribute, .changed(.derivation), .stale) {
        $0.sentenceOfLoss ?? $0.sentenceOfGain
      },
    ] + attributeValueRows + attributeLimitRows

  private static let attributeValueRows: [ImpactRow] = [
    ImpactRow(.attribute, .changed(.type), .refused) { site in
      guard let pair = site.attribute else { return nil }
      let old = SchemaElement.attribute(entity: pair.oldEntity, name: pair.old.name)
      return site.pair.old.fieldTypes(of: old) == site.pair.new.fieldTypes(of: site.element)
        ? "reads \(site.element) as \(site.before), and newer apps write \(site.after)"
        : "cannot read \(site.element) as newer apps write it: "
          + "it was \(site.before) and is \(site.after)"
    },
    ImpactRow(.attribute, .changed(.compositeName), .refused) { site in
      if let pair = site.attribute, site.pair.hasSameParts(pair.old, pair.new) { return nil }
      return
        "cannot read \(site.element) as newer apps write it: it was \(site.before) and is \(site.after)"
    },
    ImpactRow(.attribute, .changed(.encrypted), .refused) { site in
      site.attribute.map { _ in "cannot read \(site.element) of objects that newer apps write" }
    },
    ImpactRow(.attribute, .changed(.transformerName), .refused) { site in
      site.attribute.map { _ in "may not read \(site.element) of objects that newer apps write" }
    },
    ImpactRow(.attribute, .changed(.externalStorage), .refused) { site in
      guard site.attribute != nil, site.pair.new.profile == .contrail else { return nil }
      return "cannot read \(site.element) of objects that newer apps write"
    },
    ImpactRow(.attribute, .changed(.isOptional), .different) { site in
      guard let pair = site.attribute else { return nil }
      let old = Property.attribute(pair.old)
      let new = Property.attribute(pair.new)
      return pair.new.isOptional
        ? "meets objects without \(site.element), which \(old.shownWhenMissing)"
        : "goes on making objects without \(site.element), which \(new.shownWhenMissing) "
          + "in newer apps"
    },
    ImpactRow(.attribute, .changed(.defaultValue), .hidden) { $0.sentenceOfVersion },
    ImpactRow(.attribute, .changed(.defaultValue), .different) { $0.sentenceOfDefault },
  ]

  private static let attributeLimitRows: [ImpactRow] =
    [Aspect.minimumValue, .maximumValue, .pattern].map { aspect in
      ImpactRow(.attribute, .changed(aspect), .different) { site in
        site.attribute.map { _ in
          "goes by \(limit(site.before)) as \(aspect.words) of \(site.element), "
            + "and newer apps by \(limit(site.after))"
        }
      }
    }

  private static func limit(_ value: AspectValue) -> String {
    value == .none ? "none" : value.description
  }
}

extension ImpactSite {
  /// A field holds the name of the record that a to-one relationship leads to, which an app that
  /// expects text shows as it is.
  var sentenceOfSwitch: String? {
    guard let change = propertySwitch else { return nil }
    if case .attribute(let attribute) = change.old, attribute.type == .string,
      case .relationship(let relationship) = change.new, !relationship.isToMany
    {
      return "shows the names of \(relationship.destination) records in \(element), "
        + "which is a string attribute to it"
    }
    return "goes on taking \(element) for \(change.old.kindInWords), "
      + "and newer apps keep \(change.new.kindInWords) there"
  }

  fileprivate var sentenceOfGain: String? {
    guard case .attribute(let attribute) = gain?.new else { return nil }
    if !attribute.isOptional, let value = attribute.defaultValue {
      return "does not see \(element), and objects that it makes show \(value.shown) in newer apps"
    }
    return "does not see \(element), and keeps its value when it edits an object"
  }

  fileprivate var sentenceOfLoss: String? {
    loss.map {
      "goes on showing \(element), which newer apps no longer fill: objects that they make "
        + $0.old.shownWhenMissing
    }
  }

  /// The version field's default is the version that an app writes, and the highest that it knows.
  fileprivate var sentenceOfVersion: String? {
    guard let pair = attribute, let entity = self.pair.entityVersioned(by: pair),
      case .value(.integer(let old)) = before, case .value(.integer(let new)) = after, new > old
    else { return nil }
    return "does not fetch \(entity) objects with \(pair.new.name) above \(old)"
  }

  /// The default stands in for a field that a record lacks, and only where one is required.
  fileprivate var sentenceOfDefault: String? {
    guard let pair = attribute, self.pair.entityVersioned(by: pair) == nil,
      !pair.old.isOptional, !pair.new.isOptional, before != .none, after != .none
    else { return nil }
    return "shows \(before) where \(element) was never set, and newer apps show \(after)"
  }
}
