extension MigrationContext {
  static let relationshipJudges: [JudgeKey: Judge] = Dictionary(
    uniqueKeysWithValues: relationshipRows.map { (JudgeKey(.relationship, $0.event), $0.judge) })

  private static let relationshipRows: [(event: JudgeKey.Event, judge: Judge)] = [
    (.added, judgeAddedRelationship),
    (.removed, judgeRemovedRelationship),
    (.renamed, { _, _ in .automatic("recognised by its renaming identifier") }),
    (.changed(.destination), judgeDestination),
    (.changed(.cardinality), judgeCardinality),
    (.changed(.isOptional), judgeRelationshipOptionality),
    (.changed(.isTransient), judgeTransience),
    (
      .changed(.inverse),
      { change, context in
        context.newRelationship(change.element)?.inverse == nil
          ? .automatic("each side keeps its links on its own")
          : .automatic("links are completed on both sides")
      }
    ),
    (.changed(.isOrdered), judgeOrder),
    (.changed(.minimumCount), judgeCount), (.changed(.maximumCount), judgeCount),
    (
      .changed(.deleteRule),
      { _, _ in .automatic("applies to deletions from now on") }
    ),
  ]

  private static let judgeCount: Judge = { _, _ in
    .automatic("existing objects are checked when they are saved next")
  }

  private static let judgeAddedRelationship: Judge = { change, context in
    guard let relationship = context.newRelationship(change.element),
      case .relationship(let entity, _) = change.element
    else { return .automatic("a new relationship") }
    return context.relationshipKind.judgeAdded(relationship, to: entity)
  }

  /// What existing objects hold in a relationship that they had not: nothing.
  func judgeNewLinks(_ relationship: Schema.Relationship) -> Judgment {
    if relationship.isTransient { return .automatic("nothing is stored for it") }
    if relationship.isOptional { return .automatic("existing objects have no links") }
    if relationship.isToMany, relationship.minimumCount == 0, rule == .lenient {
      return .automatic("required, but without a minimum count: existing objects hold none")
    }
    return .needsStage("a new required relationship: existing objects would hold none")
  }

  private static let judgeRemovedRelationship: Judge = { change, context in
    guard let relationship = context.oldRelationship(change.element),
      case .relationship(let entity, _) = change.element,
      let owner = context.relationships.oldName(of: entity)
    else { return .automatic("nothing was stored for it") }
    return context.relationshipKind.judgeRemoved(relationship, from: owner, as: change.element)
  }

  private static let judgeDestination: Judge = { change, context in
    guard case .changed(_, .text(let before), .text(let after)) = change.kind else {
      return .automatic("the store keeps its data as it is")
    }
    if let entity = context.new.entity(before),
      context.new.ancestors(of: entity).contains(where: { $0.name == after })
    {
      return .automatic("every \(before) object is of entity \(after) too; links stay")
    }
    return .needsStage(
      "links to \(before) objects are none to \(after) objects",
      loss: "the links of \(change.element)")
  }

  private static let judgeCardinality: Judge = { change, context in
    context.newRelationship(change.element)?.isToMany == true
      ? .automatic("each link becomes one of many")
      : .needsStage(
        "objects that hold several must keep one", loss: "all but one link of \(change.element)")
  }

  /// A required to-many without a minimum count is satisfied by none.
  private static let judgeRelationshipOptionality: Judge = { change, context in
    guard let relationship = context.newRelationship(change.element), !relationship.isOptional
    else { return .automatic("existing links stay") }
    if relationship.isToMany { return .automatic("existing links stay; holding none is allowed") }
    return .needsStage("objects that hold none would be invalid")
  }

  private static let judgeTransience: Judge = { change, context in
    guard let relationship = context.newRelationship(change.element), !relationship.isTransient
    else { return .automatic("no longer stored", loss: "the links of \(change.element)") }
    return context.judgeNewLinks(relationship)
  }

  private static let judgeOrder: Judge = { change, context in
    context.newRelationship(change.element)?.isOrdered == true
      ? .automatic("links get an order, that of their creation")
      : .automatic("links stay", loss: "the order of \(change.element)")
  }
}
