import DataModel
import ObjectStore
import RecordWire
import SyncCore

/// Puts the types of a store's objects and edges together, and gathers what stands in the way.
struct ObjectRecordsBuilder {
  let layout: StoreLayout
  let mapping: RecordMapping
  private var problems: [UnsyncableSchema.Problem]
  private var reported: Set<UnsyncableSchema.Problem> = []
  private var edges: [Int: EdgeType] = [:]
  private let pairs: [Int: PairRelationship]

  init(_ layout: StoreLayout, _ mapping: RecordMapping) {
    self.layout = layout
    self.mapping = mapping
    problems =
      mapping.unmapped.map(UnsyncableSchema.Problem.unmapped)
      + mapping.collisions.map(UnsyncableSchema.Problem.collision)
    pairs = Dictionary(
      layout.pairRelationships.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func build() throws(UnsyncableSchema) -> ([ObjectType], [EdgeType]) {
    let mapped = mapping.entities.values.sorted { $0.entity.precedes($1.entity) }
    let types = mapped.compactMap { entity in
      layout.entity(entity.entity).map { objectType($0, entity) }
    }
    guard problems.isEmpty else {
      throw UnsyncableSchema(profile: mapping.profile, problems: problems)
    }
    return (types, edges.values.sorted { $0.number < $1.number })
  }

  private mutating func report(_ problem: UnsyncableSchema.Problem) {
    if reported.insert(problem).inserted { problems.append(problem) }
  }

  private mutating func objectType(_ entity: EntityLayout, _ mapped: MappedEntity) -> ObjectType {
    var type = DraftType(entity, layout)
    if let field = mapped.entityNameField {
      type.add(
        .entityName, field, slot: nil, whenEmpty: .string(entity.name), select: nil)
    }
    for (name, property) in mapped.properties.sorted(by: { $0.key.precedes($1.key) }) {
      add(property, name, to: &type)
    }
    let rules = mergeRules(type)
    let owners = [entity.schema] + layout.schema.ancestors(of: entity.schema)
    let version = owners.lazy.compactMap(\.versionField).first
    let key = owners.lazy.map(\.naturalKey).first { !$0.isEmpty } ?? []
    return ObjectType(
      layout: entity, mapped: mapped, places: type.sortedPlaces, selectSQL: type.sql,
      paired: type.paired,
      versionField: version.flatMap { field($0, "version field", type) },
      naturalKey: key.compactMap { field($0, "natural key", type) }, mergeRules: rules,
      meanings: type.meanings)
  }

  private mutating func field(_ name: String, _ role: String, _ type: DraftType) -> String? {
    if let field = type.fields[name] { return field }
    report(.noSuchField(.entity(type.entity.name), role, name))
    return nil
  }

  private mutating func mergeRules(_ type: DraftType) -> [String: MergeRule] {
    var rules: [String: MergeRule] = [:]
    for place in type.places where place.slot >= 0 {
      guard let attribute = type.entity.slots[place.slot].attribute,
        let name = attribute.userInfo[MergeRule.userInfoKey]
      else { continue }
      let subject = SchemaElement.attribute(entity: type.entity.name, name: place.propertyName)
      guard let rule = MergeRule.Name(rawValue: name) else {
        report(.unknownRule(subject, name, MergeRule.Name.allCases.map(\.rawValue)))
        continue
      }
      if rule.suits(attribute.type, mapping.profile) {
        rules[place.name] = MergeRule(rule)
      } else {
        report(
          .unfitRule(
            subject, attribute.type.rawValue, name,
            MergeRule.Name.allCases.filter { $0.suits(attribute.type, mapping.profile) }.map(
              \.rawValue)))
      }
    }
    return rules
  }
}

extension ObjectRecordsBuilder {
  private mutating func add(
    _ property: MappedProperty, _ name: String, to type: inout DraftType
  ) {
    switch property {
    case .attribute(let field): addAttribute(field, name, to: &type)
    case .composite(let members):
      for (member, property) in members.sorted(by: { $0.key.precedes($1.key) }) {
        add(property, "\(name).\(member)", to: &type)
      }
    case .toOne(let field, let order): addToOne(field, order, name, to: &type)
    case .children: checkChildren(name, type)
    case .edges(let edge, let side): addEdge(edge, side, name, to: &type)
    }
  }

  private mutating func addAttribute(
    _ field: MappedField, _ name: String, to type: inout DraftType
  ) {
    guard let slot = type.entity.slot(name), let attribute = type.entity.slots[slot].attribute,
      let column = type.entity.slots[slot].column
    else {
      // Only a composite has a field and no slot of its own.
      return report(.archive(.attribute(entity: type.entity.name, name: name)))
    }
    guard let kind = FieldPlace.Kind(attribute.type, field.type) else {
      return report(.unmapped(.attribute(entity: type.entity.name, name: name)))
    }
    let isOptional = type.entity.slots[slot].isOptional
    type.add(
      kind, field.name, slot: slot,
      whenEmpty: isOptional ? .null : kind.required(attribute.defaultValue),
      select: "t.\(StoreLayout.sqlName(column))", mapped: field)
    type.mean(slot, [field.name] + (field.assetTwin.map { [$0] } ?? []))
  }

  private mutating func addToOne(
    _ field: String, _ order: String?, _ name: String, to type: inout DraftType
  ) {
    guard let slot = type.entity.slot(name), let relationship = type.entity.slots[slot].relationship
    else { return reportOneSided(name, type) }
    let opposite = opposite(of: relationship)
    switch relationship.place {
    case .ownColumn(let column, let orderColumn):
      let key = "t.\(StoreLayout.sqlName(column))"
      type.add(
        .toOne(destination: relationship.destination), field, slot: slot, select: key,
        selectEntity: type.entitySQL(relationship.destination, where: "x._id = \(key)"))
      if let order, let orderColumn,
        let orderSlot = type.entity.slot(name + Slot.orderSuffix)
      {
        type.add(
          .order(of: slot), order, slot: orderSlot,
          select: "t.\(StoreLayout.sqlName(orderColumn))")
      } else if order != nil {
        reportOneSided(name, type)
      }
    case .farColumn(let table, let column, _):
      let from = "\(StoreLayout.sqlName(table)) AS x"
      let condition = "x.\(StoreLayout.sqlName(column)) = t._id"
      type.add(
        .farToOne(destination: relationship.destination), field, slot: slot,
        select: "(SELECT x._id FROM \(from) WHERE \(condition) ORDER BY x._id LIMIT 1)",
        selectEntity: type.entitySQL(relationship.destination, where: condition))
    case .pairs: return reportOneSided(name, type)
    }
    type.mean(slot, [field] + (order.map { [$0] } ?? []), opposite: opposite)
  }

  /// The field at the other end of a one-to-one; any entity there has the same.
  private func opposite(of relationship: RelationshipLayout) -> OppositeField? {
    guard let inverse = relationship.inverse else { return nil }
    let destination = layout.entities[relationship.destination]
    for member in destination.family {
      if case .toOne(let field, _)? =
        mapping.entity(layout.entities[member].name)?.properties[inverse],
        destination.slot(inverse).flatMap({ destination.slots[$0].relationship })?.schema.isToMany
          == false
      {
        return OppositeField(destination: destination.index, field: field)
      }
    }
    return nil
  }

  private mutating func checkChildren(_ name: String, _ type: DraftType) {
    guard let slot = type.entity.slot(name),
      case .farColumn? = type.entity.slots[slot].relationship?.place
    else { return reportOneSided(name, type) }
  }

  private mutating func addEdge(
    _ edge: MappedEdge, _ side: MappedEdge.Side, _ name: String, to type: inout DraftType
  ) {
    guard let slot = type.entity.slot(name),
      let relationship = type.entity.slots[slot].relationship,
      case .pairs(let table) = relationship.place, let pairs = pairs[relationship.ownerNumber]
    else { return reportOneSided(name, type) }
    let isSourceHere = (table.near == "source") == (side == .source)
    let found =
      edges[pairs.number] ?? EdgeType(edge, pairs, layout, isFlipped: !isSourceHere)
    edges[pairs.number] = found
    type.meanings[type.entity.slots[slot].number] = .edges(found, from: side)
  }

  private mutating func reportOneSided(_ name: String, _ type: DraftType) {
    report(.oneSided(.relationship(entity: type.entity.name, name: name)))
  }
}

/// The type of an entity's objects while it is put together.
private struct DraftType {
  let entity: EntityLayout
  let layout: StoreLayout
  var places: [FieldPlace] = []
  /// Fields by the names of properties.
  var fields: [String: String] = [:]
  var meanings: [Int: PropertyMeaning] = [:]
  private var columns = ["t._version"]

  init(_ entity: EntityLayout, _ layout: StoreLayout) {
    self.entity = entity
    self.layout = layout
  }

  /// Adds a field; `select` gives its value, and `selectEntity` the number of a related object's entity.
  mutating func add(
    _ kind: FieldPlace.Kind, _ name: String, slot: Int?, whenEmpty: RecordValue = .null,
    select: String?, selectEntity: String? = nil, mapped: MappedField? = nil
  ) {
    let propertyName = slot.map { entity.slots[$0].name } ?? "entity"
    places.append(
      FieldPlace(
        name: name, kind: kind, slot: slot ?? -1,
        property: slot.map { entity.slots[$0].number } ?? 0,
        propertyName: propertyName, isEncrypted: mapped?.isEncrypted ?? false,
        assetTwin: mapped?.assetTwin, whenEmpty: whenEmpty, column: Int32(clamping: columns.count)))
    if slot != nil { fields[propertyName] = name }
    if let select { columns.append(select) }
    if kind.isToOne { columns.append(selectEntity ?? "NULL") }
  }

  /// Notes what a slot's property stands for in history.
  mutating func mean(_ slot: Int, _ fields: [String], opposite: OppositeField? = nil) {
    meanings[entity.slots[slot].number] = .fields(fields, opposite: opposite)
  }

  /// SQL for the number of a related object's concrete entity.
  func entitySQL(_ destination: Int, where condition: String) -> String {
    let entity = layout.entities[destination]
    guard entity.sharesTable else { return String(entity.number) }
    return """
      (SELECT x._entity FROM \(StoreLayout.sqlName(entity.table)) AS x WHERE \(condition) \
      ORDER BY x._id LIMIT 1)
      """
  }

  var sortedPlaces: [FieldPlace] { places.sorted { $0.name.precedes($1.name) } }

  var sql: String {
    """
    SELECT \(columns.joined(separator: ", ")) FROM \(StoreLayout.sqlName(entity.table)) AS t \
    WHERE t._id = ?1\(condition)
    """
  }

  var paired: PairedSQL {
    PairedSQL(
      sql: """
        SELECT \(columns.joined(separator: ", ")), r.number, b.fields \
        FROM contrail_sync_record AS r CROSS JOIN contrail_sync_base AS b ON b.record = r.number \
        CROSS JOIN \(StoreLayout.sqlName(entity.table)) AS t ON t._id = r.key\(condition) \
        WHERE r.owner = ?1 AND r.zone = ?2 AND r.number >= ?3 AND r.number < ?4
        """, number: Int32(clamping: columns.count))
  }

  private var condition: String {
    entity.sharesTable ? " AND t._entity = \(entity.number)" : ""
  }
}

extension FieldPlace.Kind {
  /// How an attribute of a type is in a field of a type; nil for what no field holds.
  fileprivate init?(_ type: Schema.AttributeType, _ field: RecordSchema.FieldType) {
    guard let row = Self.kinds.first(where: { $0.type == type && $0.field == field }) else {
      return nil
    }
    self = row.kind
  }

  private static let kinds:
    [(type: Schema.AttributeType, field: RecordSchema.FieldType, kind: Self)] =
      [
        (.integer16, .int64, .integer(bits: 16)), (.integer32, .int64, .integer(bits: 32)),
        (.integer64, .int64, .integer(bits: 64)), (.boolean, .int64, .boolean),
        (.double, .double, .double), (.float, .double, .float), (.decimal, .string, .decimalText),
        (.decimal, .double, .decimalNumber), (.string, .string, .text), (.uri, .string, .text),
        (.uuid, .string, .uuid), (.date, .timestamp, .date), (.binaryData, .bytes, .bytes),
        (.binaryData, .asset, .file), (.transformable, .bytes, .bytes),
        (.transformable, .asset, .file),
      ]

  fileprivate var isToOne: Bool {
    switch self {
    case .toOne, .farToOne: true
    default: false
    }
  }
}

extension String {
  /// Names sort by their bytes.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
