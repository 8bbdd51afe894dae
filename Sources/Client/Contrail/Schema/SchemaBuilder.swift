import DataModel
import ObjectStore
import PredicateSQL
import SyncCore

/// Makes a schema of model classes: theirs, and those that they are related to or inherit from.
struct SchemaBuilder {
  private(set) var plans: [ModelPlan] = []
  private var names: [String: ModelPlan] = [:]
  private var failures: [StoreError] = []

  init(_ types: [any PersistentModel.Type]) {
    var waiting = types.map { $0._$plan }
    var next = 0
    while next < waiting.count {
      let plan = waiting[next]
      next += 1
      if let known = names[plan.entityName] {
        if known !== plan { refuseTwin(plan, known) }
        continue
      }
      names[plan.entityName] = plan
      plans.append(plan)
      if let superplan = plan.superplan {
        waiting.append(superplan)
        superplan.addToAncestors(plan)
      }
      for property in plan.properties.own {
        if let destination = property.kind.destination { waiting.append(destination._$plan) }
      }
    }
  }

  private mutating func refuseTwin(_ plan: ModelPlan, _ known: ModelPlan) {
    failures.append(
      StoreError(
        .invalidSchema, plan.entityName,
        "is the name of two classes, \(_typeName(known.type)) and \(_typeName(plan.type))",
        fix: "rename one of them, or leave one out of the schema"))
  }

  /// The schema, and what is wrong with the classes.
  func build() -> (schema: DataModel.Schema, failures: [StoreError]) {
    var failures = failures
    let inverses = InverseFinder(plans)
    failures += inverses.failures
    let composites = CompositeNames(plans)
    failures += composites.failures
    var entities: [DataModel.Schema.Entity] = []
    for plan in plans {
      var entity = properties(of: plan, inverses.found, composites, &failures)
      addLists(to: &entity, plan, &failures)
      addKey(to: &entity, plan, &failures)
      addVersionField(to: &entity, plan, &failures)
      entities.append(entity)
    }
    return (DataModel.Schema(entities: entities, composites: composites.composites), failures)
  }

  /// The schema without what key paths say: inverses, lists and keys.
  ///
  /// Where such a path leads is found by means of this.
  func outline() -> DataModel.Schema {
    let composites = CompositeNames(plans)
    var failures: [StoreError] = []
    return DataModel.Schema(
      entities: plans.map { properties(of: $0, [:], composites, &failures) },
      composites: composites.composites)
  }

  private func properties(
    of plan: ModelPlan, _ inverses: [RelationshipEnd: RelationshipEnd],
    _ composites: CompositeNames, _ failures: inout [StoreError]
  ) -> DataModel.Schema.Entity {
    var entity = DataModel.Schema.Entity(
      name: plan.entityName, parent: plan.superplan?.entityName)
    for property in plan.properties.own {
      switch property.kind {
      case .toOne, .toMany:
        entity.relationships.append(relationship(property, plan, inverses))
        if property.relationship?.isUnique == true {
          entity.uniquenessConstraints.append([property.name])
        }
      case .unsupported:
        failures.append(Self.unsupported(property, plan))
      default:
        entity.attributes.append(attribute(property, composites))
        if property.attribute?.isUnique == true {
          entity.uniquenessConstraints.append([property.name])
        }
      }
    }
    return entity
  }

  private func attribute(
    _ property: KnownProperty, _ composites: CompositeNames
  ) -> DataModel.Schema.Attribute {
    let type = property.kind.attributeType ?? .undefined
    let attribute = property.attribute
    var made = DataModel.Schema.Attribute(
      name: property.name, type: type, isOptional: property.kind.isOptional,
      defaultValue: FieldValue(defaultValue: property.defaultValue, of: type),
      options: attribute?.options.stored ?? [],
      renamingIdentifier: attribute?.originalName.nonEmpty, hashModifier: attribute?.hashModifier)
    if let rule = attribute?.options.lazy.compactMap(\.mergeRule).first {
      made.userInfo[MergeRule.userInfoKey] = rule.rawValue
    }
    switch property.kind {
    case .transformed(let name, _): made.transformerName = name
    case .codable(let type, _, _):
      if let shape = property.shape {
        made.type = .composite
        made.compositeName = composites.name(of: shape)
        break
      }
      made.transformerName = CodableColumn.transformerName
      made.valueClassName = _typeName(type, qualified: false)
    default: break
    }
    return made
  }

  private func relationship(
    _ property: KnownProperty, _ plan: ModelPlan,
    _ inverses: [RelationshipEnd: RelationshipEnd]
  ) -> DataModel.Schema.Relationship {
    let inverse = inverses[RelationshipEnd(plan.entityName, property.name)]
    let said = property.relationship
    var isToMany = false
    var isOrdered = false
    if case .toMany(_, _, let keepsOrder) = property.kind {
      isToMany = true
      isOrdered = keepsOrder
    }
    return DataModel.Schema.Relationship(
      name: property.name, destination: property.kind.destination?._$plan.entityName ?? "",
      inverse: inverse?.name, inverseEntity: inverse?.entity, isToMany: isToMany,
      isOrdered: isOrdered, isOptional: property.kind.isOptional,
      minimumCount: said?.minimumModelCount ?? 0,
      maximumCount: isToMany ? said?.maximumModelCount ?? 0 : 1,
      deleteRule: said?.deleteRule.stored ?? .nullify,
      renamingIdentifier: said?.originalName.nonEmpty, hashModifier: said?.hashModifier)
  }

  private func addLists(
    to entity: inout DataModel.Schema.Entity, _ plan: ModelPlan, _ failures: inout [StoreError]
  ) {
    for list in plan.properties.lists {
      let found = list.paths.map { ModelNames.property(of: $0)?.name }
      let listed = found.compactMap { $0 }
      guard listed.count == found.count, !listed.isEmpty else {
        failures.append(
          StoreError(
            .invalidSchema, plan.entityName,
            "lists a property for uniqueness or an index that is not kept",
            fix: "list stored properties only"))
        continue
      }
      switch list.kind {
      case .unique: entity.uniquenessConstraints.append(listed)
      case .index, .boxIndex:
        entity.indexes.append(
          DataModel.Schema.Index(
            name: listed.joined(separator: "_"),
            elements: listed.map {
              DataModel.Schema.Index.Element(
                $0, arrangement: list.kind == .index ? .binary : .rtree)
            }))
      }
    }
  }

  /// A key that a class has from its superclass is that one's.
  private func addKey(
    to entity: inout DataModel.Schema.Entity, _ plan: ModelPlan, _ failures: inout [StoreError]
  ) {
    let paths = plan.type.naturalKey
    guard !paths.isEmpty, paths != plan.superplan?.type.naturalKey else { return }
    let names = paths.compactMap { ModelNames.property(of: $0)?.name }
    if names.count == paths.count {
      entity.naturalKey = names
    } else {
      failures.append(
        StoreError(
          .invalidSchema, plan.entityName, "has a natural key with a property that is not kept",
          fix: "list stored properties only"))
    }
  }

  /// A version field that a class has from its superclass is that one's.
  private func addVersionField(
    to entity: inout DataModel.Schema.Entity, _ plan: ModelPlan, _ failures: inout [StoreError]
  ) {
    guard let path = plan.type.versionField, path != plan.superplan?.type.versionField else {
      return
    }
    entity.versionField = ModelNames.property(of: path)?.name
    if entity.versionField == nil {
      failures.append(
        StoreError(
          .invalidSchema, plan.entityName, "has a version field that is not kept",
          fix: "name a stored property"))
    }
  }

  private static func unsupported(_ property: KnownProperty, _ plan: ModelPlan) -> StoreError {
    StoreError(
      .invalidSchema, "\(plan.entityName).\(property.name)",
      "is of type \(type(of: property.keypath).valueType), which cannot be kept",
      fix: "make the type Codable, or mark the property with @Transient")
  }
}

extension ModelPlan {
  /// Makes a class known to all that it inherits from.
  func addToAncestors(_ subplan: ModelPlan) {
    var next: ModelPlan? = self
    while let plan = next {
      plan.add(subplan)
      next = plan.superplan
    }
  }
}

extension ModelPlan {
  /// Whether one of both is the class, or an ancestor of the class, of the other.
  fileprivate func isRelated(to other: ModelPlan) -> Bool {
    isAncestor(of: other) || other.isAncestor(of: self)
  }
}

extension PropertyKind {
  fileprivate var isToMany: Bool { if case .toMany = self { true } else { false } }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

/// One relationship of one entity.
struct RelationshipEnd: Hashable {
  var entity: String
  var name: String

  init(_ entity: String, _ name: String) {
    self.entity = entity
    self.name = name
  }
}

/// Finds for each relationship the one that leads back.
///
/// What is given counts first, at whichever end. Else there is one if exactly one may lead back, and
/// nothing else may be its other end; of several there is no telling, which is an error. Within one
/// hierarchy of classes only a relationship to one and one to many are taken for each other's: a mother is
/// not who has somebody as father.
struct InverseFinder {
  private(set) var found: [RelationshipEnd: RelationshipEnd] = [:]
  private(set) var failures: [StoreError] = []
  private var ends: [(end: RelationshipEnd, plan: ModelPlan, property: KnownProperty)] = []
  /// Ends of which it was said what leads back to them, or that nothing does.
  private var given: Set<RelationshipEnd> = []

  init(_ plans: [ModelPlan]) {
    for plan in plans {
      for property in plan.properties.own where property.kind.destination != nil {
        ends.append((RelationshipEnd(plan.entityName, property.name), plan, property))
      }
    }
    takeGiven()
    takeNone()
    findOthers()
  }

  /// An inverse that the other end names stands all the same.
  private mutating func takeNone() {
    for (end, _, property) in ends where property.relationship?.hasNoInverse == true {
      given.insert(end)
    }
  }

  private mutating func takeGiven() {
    for (end, plan, property) in ends {
      guard let path = property.relationship?.inverseKeyPath,
        let destination = property.kind.destination?._$plan
      else { continue }
      guard let name = ModelNames.property(of: path)?.name,
        let other = owner(of: name, from: destination)
      else {
        failures.append(
          StoreError(
            .invalidSchema, "\(end.entity).\(end.name)",
            "has an inverse that is no relationship of \(destination.entityName)",
            fix: "name a property of \(destination.entityName) whose type is \(end.entity)"))
        continue
      }
      guard let far = ends.first(where: { $0.end == other }), far.plan === destination,
        far.property.kind.destination?._$plan === plan
      else {
        refuse(end, holding: destination, other)
        continue
      }
      pair(end, other)
    }
  }

  /// Both ends have to be of the classes that the other holds, not of such as these inherit from: else one
  /// end would have models that the other cannot hold.
  private mutating func refuse(
    _ end: RelationshipEnd, holding destination: ModelPlan, _ other: RelationshipEnd
  ) {
    let back = ends.first { $0.end == other }?.property.kind.destination?._$plan.entityName ?? ""
    failures.append(
      StoreError(
        .invalidSchema, "\(end.entity).\(end.name)",
        "holds \(destination.entityName), and its inverse \(other.entity).\(other.name) leads from "
          + "\(other.entity) to \(back)",
        fix: "name a relationship that \(destination.entityName) declares itself, to \(end.entity)"
      ))
  }

  private mutating func pair(_ end: RelationshipEnd, _ other: RelationshipEnd) {
    for (near, far) in [(end, other), (other, end)] {
      if let known = found[near], known != far {
        failures.append(
          StoreError(
            .invalidSchema, "\(near.entity).\(near.name)",
            "is the inverse of both \(known.entity).\(known.name) and \(far.entity).\(far.name)",
            fix: "give each of them an inverse of its own"))
      } else {
        found[near] = far
        given.insert(near)
      }
    }
  }

  /// The end that declares a relationship of that name: a class or one that it inherits from.
  private func owner(of name: String, from plan: ModelPlan) -> RelationshipEnd? {
    var next: ModelPlan? = plan
    while let candidate = next {
      let end = RelationshipEnd(candidate.entityName, name)
      if ends.contains(where: { $0.end == end }) { return end }
      next = candidate.superplan
    }
    return nil
  }

  private mutating func findOthers() {
    for (end, plan, property) in ends where !given.contains(end) {
      let back = candidates(for: end, plan, property)
      guard let only = back.first else { continue }
      guard back.count == 1 else {
        refuse(end, back)
        continue
      }
      guard let other = ends.first(where: { $0.end == only }) else { continue }
      let forth = candidates(for: only, other.plan, other.property)
      // It may lead back to another end, of a class or of one that it inherits from.
      if forth == [end] { found[end] = only }
    }
  }

  /// The relationships that may lead back, of those for which nothing is given.
  private func candidates(
    for end: RelationshipEnd, _ plan: ModelPlan, _ property: KnownProperty
  ) -> [RelationshipEnd] {
    guard let destination = property.kind.destination?._$plan else { return [] }
    return ends.compactMap { other in
      guard other.end != end, !given.contains(other.end),
        other.plan === destination, other.property.kind.destination?._$plan === plan,
        property.kind.isToMany != other.property.kind.isToMany
          || !plan.isRelated(to: other.plan)
      else { return nil }
      return other.end
    }
  }

  private mutating func refuse(_ end: RelationshipEnd, _ back: [RelationshipEnd]) {
    let shown = back.map { "\($0.entity).\($0.name)" }.joined(separator: " and ")
    failures.append(
      StoreError(
        .invalidSchema, "\(end.entity).\(end.name)",
        "may have several inverses: \(shown)",
        fix: "say which: @Relationship(inverse: \\\(back[0].entity).\(back[0].name))"))
  }
}
