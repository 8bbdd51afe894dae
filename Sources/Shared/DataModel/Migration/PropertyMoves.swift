// Properties that appear, disappear, or come and go with a parent. Attributes and relationships are
// judged alike; `Kind` says what differs.

/// What judging an attribute and judging a relationship do not share.
struct PropertyKind<Part: Renamable & Hashable> {
  let flow: PropertyFlow<Part>
  /// Whether a store keeps anything for it.
  let isStored: (Part) -> Bool
  /// What existing objects get that had nothing in its place.
  let judgeNew: (Part) -> Judgment
  /// What becomes of what was there when the property differs in these features.
  let judgeDifferences: (_ old: Part, _ new: Part, SchemaElement) -> [Judgment]
  /// What is lost with it: `values` or `links`.
  let content: String
}

extension PropertyKind {
  /// Judges a property that `owner`, an entity of both schemas, did not declare before.
  func judgeAdded(_ part: Part, to owner: String) -> Judgment {
    guard isStored(part) else { return judgeNew(part) }
    let property = PropertyFlow<Part>.Declared(owner: owner, part: part)
    let holders = flow.newHolders(owner)
    if holders.isEmpty { return .automatic("no object of an older store has it") }
    return judge(property, for: holders) ?? .automatic("existing objects keep what they have")
  }

  /// Judges a property that `owner`, by its old name, does not declare any more.
  func judgeRemoved(_ part: Part, from owner: String, as element: SchemaElement) -> Judgment {
    guard isStored(part) else { return .automatic("nothing was stored for it") }
    let property = PropertyFlow<Part>.Declared(owner: owner, part: part)
    let holders = flow.oldHolders(owner)
    let targets = holders.compactMap { flow.target(of: property, in: $0) }
    let left = holders.filter { flow.target(of: property, in: $0) == nil }
    guard let target = targets.first else {
      return .automatic("its \(content) are dropped", loss: "the \(content) of \(element)")
    }
    let place = flow.element(target.owner, target.part.name)
    let names = left.map(\.name).joined(separator: ", ")
    return .automatic(
      "moved to \(place) with its \(content)",
      loss: left.isEmpty ? nil : "the \(content) of \(element) in objects of \(names)")
  }

  /// Judges what `entity` gains and loses with another parent.
  func judgeParent(of entity: Schema.Entity, before: Schema.Entity) -> [Judgment] {
    let gained = flow.inherited(by: entity).filter { isStored($0.part) }.compactMap { property in
      judge(property, for: flow.newHolders(entity.name))
    }
    let lost = flow.wereInherited(by: before).filter { isStored($0.part) }.compactMap { property in
      let left = flow.oldHolders(before.name).filter { flow.target(of: property, in: $0) == nil }
      let element = flow.element(property.owner, property.part.name)
      return left.isEmpty
        ? nil
        : Judgment.automatic(
          "\(element) is inherited no longer",
          loss:
            "the \(content) of \(element) in objects of \(left.map(\.name).joined(separator: ", "))"
        )
    }
    return gained + lost
  }

  /// What becomes of a property in objects that may have had it already; nil where it stays as it is.
  private func judge(
    _ property: PropertyFlow<Part>.Declared, for holders: [Schema.Entity]
  ) -> Judgment? {
    let element = flow.element(property.owner, property.part.name)
    var judgments: [Judgment] = []
    var origins: [PropertyFlow<Part>.Declared] = []
    for holder in holders {
      guard let source = flow.source(of: property, in: holder), isStored(source.part) else {
        judgments.append(judgeNew(property.part))
        continue
      }
      if !origins.contains(source) { origins.append(source) }
    }
    for origin in origins {
      let place = flow.element(origin.owner, origin.part.name)
      if place != element {
        judgments.append(.automatic("moved from \(place) with its \(content)"))
      }
      judgments += judgeDifferences(origin.part, property.part, element)
    }
    return Judgment.worst(of: judgments)
  }
}

extension Judgment {
  /// The worst of several judgments, with all that is to be said at that level and all losses.
  static func worst(of judgments: [Judgment]) -> Judgment? {
    guard let verdict = judgments.map(\.verdict).max() else { return nil }
    var reasons: [String] = []
    for judgment in judgments where judgment.verdict == verdict {
      if !reasons.contains(judgment.reason) { reasons.append(judgment.reason) }
    }
    var losses: [String] = []
    for loss in judgments.compactMap(\.loss) where !losses.contains(loss) { losses.append(loss) }
    return Judgment(
      verdict: verdict, reason: reasons.joined(separator: "; "),
      loss: losses.isEmpty ? nil : losses.joined(separator: ", "))
  }
}

extension MigrationContext {
  var attributeKind: PropertyKind<Schema.Attribute> {
    PropertyKind(
      flow: attributes, isStored: { $0.isStored && $0.derivation == nil },
      judgeNew: Self.judgeNewValues,
      judgeDifferences: { old, new, element in
        compare(element, Schema.Attribute.aspects, old, new)
          .map { comparing(old, new).judge($0) }
      }, content: "values")
  }

  var relationshipKind: PropertyKind<Schema.Relationship> {
    PropertyKind(
      flow: relationships, isStored: { !$0.isTransient }, judgeNew: judgeNewLinks,
      judgeDifferences: { old, new, element in
        compare(element, Schema.Relationship.aspects, renamed(old), new)
          .map { comparing(old, new).judge($0) }
      }, content: "links")
  }

  /// An old relationship with its destination under its new name.
  private func renamed(_ relationship: Schema.Relationship) -> Schema.Relationship {
    var copy = relationship
    let pair = matching.entities.pairs.first { $0.old.name == relationship.destination }
    copy.destination = pair?.new.name ?? relationship.destination
    return copy
  }
}
