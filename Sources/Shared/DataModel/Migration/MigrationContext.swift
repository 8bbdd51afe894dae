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

  init(_ old: Schema, _ new: Schema, rule: MigrationForecast.Rule) {
    self.old = old
    self.new = new
    self.rule = rule
    matching = SchemaMatching(old, new)
  }

  func judge(_ change: SchemaChange) -> Judgment {
    let key = JudgeKey(change)
    guard let judge = Self.judges[key] ?? Self.judges[key.withoutKind] else {
      return .automatic("the store keeps its data as it is")
    }
    return judge(change, self)
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
    switch element {
    case .attribute(let entity, let name): new.entity(entity)?.attribute(name)
    case .member(let composite, let name): new.composite(composite)?.attributes.named(name)
    default: nil
    }
  }

  func oldAttribute(_ element: SchemaElement) -> Schema.Attribute? {
    switch element {
    case .attribute(let entity, let name): oldEntity(of: entity)?.attribute(name)
    case .member(let composite, let name): old.composite(composite)?.attributes.named(name)
    default: nil
    }
  }

  func newRelationship(_ element: SchemaElement) -> Schema.Relationship? {
    guard case .relationship(let entity, let name) = element else { return nil }
    return new.entity(entity)?.relationship(name)
  }

  func oldRelationship(_ element: SchemaElement) -> Schema.Relationship? {
    guard case .relationship(let entity, let name) = element else { return nil }
    return oldEntity(of: entity)?.relationship(name)
  }

  /// The old entity that became the one named `name`, or that had that name and is gone.
  func oldEntity(of name: String) -> Schema.Entity? {
    matching.entities.pairs.first { $0.new.name == name }?.old ?? old.entity(name)
  }

  /// The new entity that the old one named `name` became.
  func newEntity(ofOld name: String) -> Schema.Entity? {
    matching.entities.pairs.first { $0.old.name == name }?.new
  }

  /// Whether two entities of the new schema stand in one line of inheritance, the same or apart.
  func areInLine(_ one: String, _ other: String) -> Bool {
    guard let first = new.entity(one), let second = new.entity(other) else { return false }
    return one == other || new.ancestors(of: first).contains { $0.name == other }
      || new.ancestors(of: second).contains { $0.name == one }
  }
}
