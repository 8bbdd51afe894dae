import DataModel

// What is asked of the data: whether it holds what the new schema refuses.
extension MigrationPlanner {
  func checks() -> [MigrationPlan.Check] {
    map.sortedTables.flatMap { table in
      table.movers.flatMap { attributeChecks($0) + linkChecks($0) }
    } + abstractChecks() + forecastChecks() + links.flatMap(countChecks) + uniqueChecks()
  }

  /// What the forecast gives to a stage, and no other check looks at: other composite types, other forms
  /// of values, other entities at the far end.
  ///
  /// Where there is no value there is nothing to do.
  private func forecastChecks() -> [MigrationPlan.Check] {
    forecast.steps.filter { $0.verdict == .needsStage }.flatMap { step -> [MigrationPlan.Check] in
      switch (step.change.element, step.change.aspect) {
      case (.attribute(let owner, let name), .compositeName?),
        (.attribute(let owner, let name), .mergeableStorage?):
        return valueChecks(owner, name, step)
      case (.relationship(let owner, let name), .destination?):
        guard let entity = new.entity(owner),
          let link = links.first(where: { $0.owner === entity && $0.slot.name == name }),
          !link.sources.isEmpty
        else { return [] }
        return [
          check(
            "\(owner).\(name)", "{n} {link|links}: \(step.reason)",
            "make them anew in a custom stage",
            before: "SELECT count(*), NULL FROM (\(allLinks(link, isBefore: true)))")
        ]
      default: return []
      }
    }
  }

  private func valueChecks(
    _ owner: String, _ name: String, _ step: MigrationForecast.Step
  ) -> [MigrationPlan.Check] {
    let movers = map.sortedTables.flatMap(\.movers).filter { mover in
      mover.new.name == owner
        || new.schema.ancestors(of: mover.new.schema).contains { $0.name == owner }
    }
    return movers.compactMap { mover in
      let columns = mover.old.slots
        .filter { $0.name == name || $0.name.hasPrefix(name + ".") }.compactMap(\.column)
      if columns.isEmpty { return nil }
      let present = columns.map { "\(quoted($0)) IS NOT NULL" }.joined(separator: " OR ")
      return check(
        "\(owner).\(name)",
        "{n} {object|objects} of \(mover.new.name) {has|have} values: \(step.reason)",
        "convert them in a custom stage",
        before:
          "SELECT count(*), NULL FROM \(quoted(mover.old.table)) WHERE \(mover.old.ownRows) AND (\(present))"
      )
    }
  }

  private func check(
    _ subject: String, _ message: String, _ fix: String, before: String, after: String? = nil
  ) -> MigrationPlan.Check {
    MigrationPlan.Check(
      subject: subject, message: message, fix: fix, before: before, after: after)
  }

  private func attributeChecks(_ mover: MigrationMap.Mover) -> [MigrationPlan.Check] {
    let table = quoted(mover.old.table)
    return mover.new.slots.enumerated().flatMap { index, slot -> [MigrationPlan.Check] in
      guard let column = slot.column, let attribute = slot.attribute,
        attribute.derivation == nil
      else { return [] }
      let name = "\(mover.new.name).\(slot.name)"
      let found = map.source(slot, of: mover.new)
      let source = found?.attribute?.derivation == nil ? found : nil
      let value = source?.column.map(quoted)
      let conversion = source?.attribute.map { ValueConversion($0, attribute) } ?? .same
      var checks: [MigrationPlan.Check] = []
      if let value, let old = source?.attribute {
        if let violated = conversion.violated(value) {
          checks.append(
            check(
              name,
              "{n} {value|values} of type \(old.type) {has|have} no equal of type \(attribute.type){x}",
              "convert them in a custom stage",
              before:
                "SELECT count(*), min(\(value)) FROM \(table) WHERE \(mover.old.ownRows) AND \(violated)"
            ))
        }
        if old.options.contains(.externalStorage) && !attribute.options.contains(.externalStorage) {
          checks.append(
            check(
              name, "{n} {value is in a file|values are in files} beside the store",
              "read the files in a custom stage",
              before:
                "SELECT count(*), NULL FROM \(table) WHERE \(mover.old.ownRows) AND typeof(\(value)) = 'text'",
              after: slot.kind == .bytes
                ? "SELECT count(*), NULL FROM \(quoted(mover.new.table)) WHERE \(mover.new.ownRows) AND typeof(\(quoted(column))) = 'text'"
                : nil))
        }
      }
      let isFilled = SQLLiteral.defaultValue(index, mover.new) != nil
      let isKept = source?.isOptional == false && conversion.violation == nil
      if !slot.isOptional && !isFilled && !isKept {
        let rows = value.map { "\($0) IS NULL" } ?? "1"
        checks.append(
          check(
            name, "needs a value, and {n} {object has|objects have} none",
            "give it a default value, or fill it in a custom stage",
            before: "SELECT count(*), NULL FROM \(table) WHERE \(mover.old.ownRows) AND \(rows)",
            after:
              "SELECT count(*), NULL FROM \(quoted(mover.new.table)) WHERE \(mover.new.ownRows) AND \(quoted(column)) IS NULL"
          ))
      }
      return checks
    }
  }

  /// To-one relationships that need an object, and to-many ones that have a least count.
  private func linkChecks(_ mover: MigrationMap.Mover) -> [MigrationPlan.Check] {
    mover.new.slots.compactMap { slot in
      guard let relationship = slot.relationship, !slot.isOptional, slot.number > 0,
        !relationship.schema.isToMany
      else { return nil }
      let found = map.source(slot, of: mover.new)
      // What needed an object and had to be one has one.
      if let old = found?.relationship, found?.isOptional == false, !old.schema.isToMany {
        return nil
      }
      let rows = "SELECT count(*), NULL FROM \(quoted(mover.old.table)) WHERE \(mover.old.ownRows)"
      let before: String
      if let found, let old = found.relationship {
        let source = LinkSource(
          entity: mover.old, slot: found, relationship: old, isReversed: false)
        before = "\(rows) AND _id NOT IN (SELECT a FROM (\(select(source, isBefore: true))))"
      } else {
        before = rows
      }
      return check(
        "\(mover.new.name).\(slot.name)", "needs an object, and {n} {object has|objects have} none",
        "make it optional, or fill it in a custom stage", before: before,
        after: afterCheck(mover.new, relationship))
    }
  }

  private func afterCheck(_ entity: EntityLayout, _ relationship: RelationshipLayout) -> String? {
    let rows = "SELECT count(*), NULL FROM \(quoted(entity.table)) WHERE \(entity.ownRows)"
    switch relationship.place {
    case .ownColumn(let column, _): return "\(rows) AND \(quoted(column)) IS NULL"
    case .farColumn(let table, let column, _):
      return
        "\(rows) AND _id NOT IN (SELECT \(quoted(column)) FROM \(quoted(table)) WHERE \(quoted(column)) IS NOT NULL)"
    case .pairs: return nil
    }
  }

  /// Objects of an entity that has become abstract.
  private func abstractChecks() -> [MigrationPlan.Check] {
    new.entities.compactMap { entity in
      guard entity.schema.isAbstract, let before = map.oldEntity(entity),
        !before.schema.isAbstract, before.hasTable(old)
      else { return nil }
      return check(
        entity.name, "became abstract, and has {n} {object|objects} of its own",
        "move them to another entity in a custom stage",
        before: "SELECT count(*), NULL FROM \(quoted(before.table)) WHERE \(before.ownRows)")
    }
  }

  /// Links that were one of several, where there can be but one.
  private func countChecks(_ link: LinkPlan) -> [MigrationPlan.Check] {
    guard link.column != nil, !link.sources.isEmpty else { return [] }
    let inverse = new.schema.inverse(of: link.relationship.schema)
    let all = allLinks(link, isBefore: true)
    var checks: [MigrationPlan.Check] = []
    let wasOne = link.sources.count == 1 && isOne(link.sources.first, reversed: false)
    if !wasOne {
      checks.append(
        check(
          "\(link.owner.name).\(link.slot.name)",
          "can hold one object, and {n} {object holds|objects hold} several{x}",
          "say in a custom stage which one is kept",
          before: """
            SELECT count(*), min(a) FROM (SELECT a FROM (\(all)) GROUP BY a \
            HAVING count(DISTINCT b) > 1)
            """))
    }
    if let inverse, !inverse.end.isToMany {
      let wasInverseOne = link.sources.count == 1 && isOne(link.sources.first, reversed: true)
      if !wasInverseOne {
        checks.append(
          check(
            "\(inverse.entity.name).\(inverse.end.name)",
            "can hold one object, and {n} {object|objects} would hold several{x}",
            "say in a custom stage which one is kept",
            before: """
              SELECT count(*), min(b) FROM (SELECT b FROM (\(all)) GROUP BY b \
              HAVING count(DISTINCT a) > 1)
              """))
      }
    }
    return checks
  }

  /// Whether an end of old links had one object at most.
  private func isOne(_ source: LinkSource?, reversed: Bool) -> Bool {
    guard let source else { return false }
    if source.isReversed == reversed { return !source.relationship.schema.isToMany }
    return old.schema.inverse(of: source.relationship.schema).map { !$0.end.isToMany } ?? false
  }

  /// Values that are there twice and must be unique from now on.
  private func uniqueChecks() -> [MigrationPlan.Check] {
    new.entities.flatMap { entity -> [MigrationPlan.Check] in
      guard entity.hasTable(new) else { return [] }
      return entity.schema.uniquenessConstraints.compactMap { names in
        UniqueConstraint(names, entity.slots).flatMap { uniqueCheck(entity, $0) }
      }
    }
  }

  private func uniqueCheck(
    _ entity: EntityLayout, _ constraint: UniqueConstraint
  ) -> MigrationPlan.Check? {
    let slots = constraint.slots
    let columns = slots.compactMap { entity.slots[$0].column }
    guard !wasUnique(entity, slots) else { return nil }
    let family = Set(entity.family)
    let movers = map.sortedTables.flatMap(\.movers).filter { family.contains($0.new.index) }
    let selects = movers.map { mover -> String in
      let values = columns.enumerated().map { index, column in
        "\(valueBefore(mover, column)) AS v\(index)"
      }
      return
        "SELECT \(values.joined(separator: ", ")) FROM \(quoted(mover.old.table)) WHERE \(mover.old.ownRows)"
    }
    let names = slots.map { entity.slots[$0].name }.joined(separator: ", ")
    let terms = columns.indices.map { "v\($0)" }
    let present = constraint.wholeness { slot in terms[slots.firstIndex(of: slot) ?? 0] }
    func count(_ rows: String) -> String {
      """
      SELECT count(*), min(example) FROM (SELECT \(terms.map { "quote(\($0))" }.joined(separator: " || ', ' || ")) AS example \
      FROM (\(rows)) WHERE \(present) GROUP BY \(terms.joined(separator: ", ")) HAVING count(*) > 1)
      """
    }
    let values = columns.enumerated().map { "\(quoted($1)) AS v\($0)" }.joined(separator: ", ")
    return check(
      "\(entity.name) (\(names))",
      "must be unique, and {n} {value is|values are} there more than once{x}",
      "merge or delete the duplicates in a custom stage, before the change",
      before: selects.isEmpty ? "SELECT 0, NULL" : count(selects.joined(separator: " UNION ALL ")),
      after: count("SELECT \(values) FROM \(quoted(entity.table))"))
  }

  /// Whether the same values had to be unique before.
  private func wasUnique(_ entity: EntityLayout, _ slots: [Int]) -> Bool {
    guard let before = map.oldEntity(entity) else { return false }
    let numbers = slots.map { map.source(entity.slots[$0], of: entity)?.number }
    return before.uniqueness.contains { old in
      Set(old.slots.map { Optional(before.slots[$0].number) }) == Set(numbers)
    }
  }

  /// What an old row will hold in a new column.
  private func valueBefore(_ mover: MigrationMap.Mover, _ column: String) -> String {
    guard let index = mover.new.slots.firstIndex(where: { $0.column == column }) else {
      return "NULL"
    }
    let slot = mover.new.slots[index]
    let fallback = slot.isOptional ? nil : SQLLiteral.defaultValue(index, mover.new)
    guard let source = map.source(slot, of: mover.new), let old = source.column,
      source.kind != .reference || slot.kind == .reference
    else { return fallback ?? "NULL" }
    let value =
      if let before = source.attribute, let after = slot.attribute {
        ValueConversion(before, after).converted(quoted(old))
      } else {
        quoted(old)
      }
    return fallback.map { "ifnull(\(value), \($0))" } ?? value
  }
}
