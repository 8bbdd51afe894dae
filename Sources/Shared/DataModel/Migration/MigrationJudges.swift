extension MigrationContext {
  typealias Judge = @Sendable (SchemaChange, MigrationContext) -> Judgment

  /// The inference table: who judges which change.
  ///
  /// What has no row needs nothing. The tables share no key.
  static let judges: [JudgeKey: Judge] = [
    entityJudges, attributeJudges, relationshipJudges, otherJudges,
  ].reduce(into: [:]) { all, table in
    all.merge(table) { first, _ in first }
  }

  private static let entityJudges: [JudgeKey: Judge] = [
    JudgeKey(.entity, .added): { change, _ in .automatic("a new table for \(change.element)") },
    JudgeKey(.entity, .removed): { change, context in
      context.old.entity("\(change.element)")?.isAbstract == true
        ? .automatic("it had no objects of its own")
        : .automatic("its table is dropped", loss: "every \(change.element) object")
    },
    JudgeKey(.entity, .renamed): { _, _ in .automatic("recognised by its renaming identifier") },
    JudgeKey(.entity, .changed(.parent)): judgeParent,
    JudgeKey(.entity, .changed(.isAbstract)): { change, context in
      guard case .entity(let name) = change.element, context.new.entity(name)?.isAbstract == true
      else { return .automatic("it may have objects of its own from now on") }
      return .needsStage(
        "existing objects need a concrete entity", loss: "every object that is \(name) itself")
    },
  ]

  private static let otherJudges: [JudgeKey: Judge] = [
    JudgeKey(.uniqueness, .added): { _, _ in
      .needsStage("existing duplicates must be merged or deleted first")
    },
    JudgeKey(.uniqueness, .removed): { _, _ in .automatic("the unique index is dropped") },
    JudgeKey(.index, .added): { _, _ in .automatic("the index is built") },
    JudgeKey(.index, .removed): { _, _ in .automatic("the index is dropped") },
    JudgeKey(.index, .changed(.indexElements)): { _, _ in .automatic("the index is built anew") },
    JudgeKey(.index, .changed(.predicate)): { _, _ in .automatic("the index is built anew") },
    JudgeKey(.configuration, .changed(.memberEntities)): judgeMembers,
    JudgeKey(.configuration, .removed): { change, _ in
      .needsStage("its store has no schema any more: copy its objects to the store they belong to")
    },
    JudgeKey(nil, .changed(.renamingIdentifier)): { _, _ in
      .automatic("only tells later versions the first name")
    },
    JudgeKey(nil, .changed(.hashModifier)): { _, _ in .automatic("only the hash differs") },
  ]

  private static let judgeMembers: Judge = { change, _ in
    guard case .changed(_, .names(let before), .names(let after)) = change.kind else {
      return .automatic("the store keeps its data as it is")
    }
    let left = before.filter { !after.contains($0) }
    return left.isEmpty
      ? .automatic("new tables for the members that joined")
      : .needsStage(
        "objects of \(left.joined(separator: ", ")) must be copied to the store they now belong to")
  }

  /// Entities that share no ancestor before may share none afterwards: their rows live in tables with
  /// keys of their own, and references to one could name a row of the other (WWDC22-10120).
  private static let judgeParent: Judge = { change, context in
    guard case .entity(let name) = change.element, let entity = context.new.entity(name) else {
      return .automatic("the store keeps its data as it is")
    }
    if let stranger = context.strangerInHierarchy(of: entity) {
      return .refused(
        "merges hierarchies: \(name) and \(stranger) had no common parent before; "
          + "keep them apart, or copy the objects to a new entity in a stage")
    }
    guard let before = context.attributes.oldName(of: name).flatMap(context.old.entity) else {
      return .automatic("the store keeps its data as it is")
    }
    let judgments =
      context.attributeKind.judgeParent(of: entity, before: before)
      + context.relationshipKind.judgeParent(of: entity, before: before)
    return Judgment.worst(of: judgments) ?? .automatic("rows keep all that they hold")
  }

  /// An entity of both versions that shares an ancestor with `entity` now and had no part in its
  /// hierarchy before.
  private func strangerInHierarchy(of entity: Schema.Entity) -> String? {
    let ancestors = Set(new.ancestors(of: entity).map(\.name))
    guard let before = attributes.oldName(of: entity.name).flatMap(old.entity),
      !ancestors.isEmpty
    else { return nil }
    let root = old.root(of: before).name
    return matching.entities.pairs.first { pair in
      pair.new.name != entity.name && old.root(of: pair.old).name != root
        && !ancestors.isDisjoint(with: new.ancestors(of: pair.new).map(\.name))
    }?.new.name
  }
}
