/// A verdict on one change, with its reason and what data would be gone.
struct Judgment {
  var verdict: MigrationForecast.Verdict
  var reason: String
  var loss: String?

  static func automatic(_ reason: String, loss: String? = nil) -> Judgment {
    Judgment(verdict: .automatic, reason: reason, loss: loss)
  }

  static func needsStage(_ reason: String, loss: String? = nil) -> Judgment {
    Judgment(verdict: .needsStage, reason: reason, loss: loss)
  }

  static func refused(_ reason: String) -> Judgment {
    Judgment(verdict: .refused, reason: reason, loss: nil)
  }
}

/// What a judge may look at beside the change: both schemas and how strict to be.
struct MigrationContext {
  let old: Schema
  let new: Schema
  let rule: MigrationForecast.Rule
  let matching: SchemaMatching
  /// What became of attributes, whatever entity declares them.
  let attributes: PropertyFlow<Schema.Attribute>
  /// What became of relationships, whatever entity declares them.
  let relationships: PropertyFlow<Schema.Relationship>
  /// The members of composite types that both schemas have.
  private let members: [SchemaElement: Schema.Attribute]
  /// Parts that stand for those of the schemas while a property that moved is judged.
  private var attributePair: (old: Schema.Attribute, new: Schema.Attribute)?
  private var relationshipPair: (old: Schema.Relationship, new: Schema.Relationship)?

  init(_ old: Schema, _ new: Schema, rule: MigrationForecast.Rule) {
    self.old = old
    self.new = new
    self.rule = rule
    matching = SchemaMatching(old, new)
    attributes = PropertyFlow(
      old, new, matching, own: { $0.attributes }, pairs: { $0.attributes },
      element: { .attribute(entity: $0, name: $1) })
    relationships = PropertyFlow(
      old, new, matching, own: { $0.relationships }, pairs: { $0.relationships },
      element: { .relationship(entity: $0, name: $1) })
    members = Self.oldMembers(old, new)
  }

  func judge(_ change: SchemaChange) -> Judgment {
    let key = JudgeKey(change)
    guard let judge = Self.judges[key] ?? Self.judges[key.withoutKind] else {
      return .automatic("the store keeps its data as it is")
    }
    return judge(change, self)
  }

  /// The same with two attributes that stand for those of a change.
  func comparing(_ old: Schema.Attribute, _ new: Schema.Attribute) -> MigrationContext {
    var copy = self
    copy.attributePair = (old, new)
    return copy
  }

  /// The same with two relationships that stand for those of a change.
  func comparing(_ old: Schema.Relationship, _ new: Schema.Relationship) -> MigrationContext {
    var copy = self
    copy.relationshipPair = (old, new)
    return copy
  }

  private static func oldMembers(_ old: Schema, _ new: Schema) -> [SchemaElement: Schema.Attribute]
  {
    var members: [SchemaElement: Schema.Attribute] = [:]
    for composite in old.composites {
      for member in composite.attributes {
        members[.member(composite: composite.name, name: member.name)] = member
      }
      guard let after = new.composite(composite.name) else { continue }
      for pair in Matching(byIdentity: composite.attributes, after.attributes).pairs {
        members[.member(composite: composite.name, name: pair.new.name)] = pair.old
      }
    }
    return members
  }
}

/// What selects a judge: the kind of part, and what happened to it.
struct JudgeKey: Hashable {
  enum Event: Hashable {
    case added, removed, renamed
    case changed(Aspect)
  }

  var kind: SchemaElement.Kind?
  var event: Event

  init(_ kind: SchemaElement.Kind?, _ event: Event) {
    self.kind = kind
    self.event = event
  }

  init(_ change: SchemaChange) {
    kind = change.element.kind
    event =
      switch change.kind {
      case .added: .added
      case .removed: .removed
      case .renamed: .renamed
      case .changed(let aspect, _, _): .changed(aspect)
      }
  }

  /// The key of a judge for every kind of part.
  var withoutKind: JudgeKey { JudgeKey(nil, event) }
}

// MARK: Looking up the parts of a change

extension MigrationContext {
  func newAttribute(_ element: SchemaElement) -> Schema.Attribute? {
    if let attributePair { return attributePair.new }
    switch element {
    case .attribute(let entity, let name): return new.entity(entity)?.attribute(name)
    case .member(let composite, let name):
      return new.composite(composite)?.attributes.named(name)
    default: return nil
    }
  }

  /// The old attribute behind an address in the new schema; of one that is gone, by its old name.
  func oldAttribute(_ element: SchemaElement) -> Schema.Attribute? {
    attributePair?.old ?? members[element] ?? attributes.old(element)
  }

  func newRelationship(_ element: SchemaElement) -> Schema.Relationship? {
    if let relationshipPair { return relationshipPair.new }
    guard case .relationship(let entity, let name) = element else { return nil }
    return new.entity(entity)?.relationship(name)
  }

  func oldRelationship(_ element: SchemaElement) -> Schema.Relationship? {
    relationshipPair?.old ?? relationships.old(element)
  }
}
