public import DataModel
public import ObjectStore
public import RecordWire

/// How the pairs of one many-to-many relationship, or of a to-many one without an inverse, are records.
///
/// Pairs are named as in their table: which end is source and which target there may differ from the
/// records' own, whose names sort in another way in Core Data's layout.
public final class EdgeType: Sendable {
  /// Where the pairs are in records.
  public let edge: MappedEdge
  /// Where they are in the store.
  public let pairs: PairRelationship
  let layout: StoreLayout
  /// Whether the records' source is the table's target.
  let isFlipped: Bool

  init(
    _ edge: MappedEdge, _ pairs: PairRelationship, _ layout: StoreLayout, isFlipped: Bool
  ) {
    self.edge = edge
    self.pairs = pairs
    self.layout = layout
    self.isFlipped = isFlipped
  }

  /// The number of the property that owns the table of the pairs.
  public var number: Int { pairs.number }
  /// The layout of the entity of the table's sources, or of their ancestor.
  public var sourceLayout: EntityLayout { layout.entities[pairs.source.entity] }
  /// The layout of the entity of the table's targets, or of their ancestor.
  public var targetLayout: EntityLayout { layout.entities[pairs.target.entity] }
  /// The field with one clock for each field; nil where the layout has no place for it.
  public var clocksField: String? { edge.clocksField }
}

/// One pair of related objects, named as in the table of pairs.
///
/// Of a relationship that is its own inverse each pair is met once, with the lesser key as source.
public struct EdgePair: Hashable, Sendable {
  /// The object in the table's column `source`.
  public var source: ObjectKey
  /// The object in the column `target`.
  public var target: ObjectKey
  /// The source's place in the target's order; nil for none.
  public var sourceOrder: Int64?
  /// The target's place in the source's order; nil for none.
  public var targetOrder: Int64?

  /// Names a pair.
  public init(
    source: ObjectKey, target: ObjectKey, sourceOrder: Int64? = nil, targetOrder: Int64? = nil
  ) {
    self.source = source
    self.target = target
    self.sourceOrder = sourceOrder
    self.targetOrder = targetOrder
  }
}

/// What the record of a pair says, with its ends as in the table of pairs.
public struct EdgeContent: Hashable, Sendable {
  /// The record name of the object in the table's column `source`.
  public var source: String
  /// The record name of the object in the column `target`.
  public var target: String
  /// The source's place in the target's order; nil for none.
  public var sourceOrder: Int64?
  /// The target's place in the source's order; nil for none.
  public var targetOrder: Int64?

  /// Describes a pair.
  public init(
    source: String, target: String, sourceOrder: Int64? = nil, targetOrder: Int64? = nil
  ) {
    self.source = source
    self.target = target
    self.sourceOrder = sourceOrder
    self.targetOrder = targetOrder
  }

  fileprivate var flipped: EdgeContent {
    EdgeContent(
      source: target, target: source, sourceOrder: targetOrder, targetOrder: sourceOrder)
  }
}

/// The record of a pair.
public struct EdgeRecord: Hashable, Sendable {
  /// The record's name: the same on every device.
  public var name: RecordName
  /// Its fields, without clocks.
  public var fields: RecordFields
}

extension EdgeType {
  /// The record of a pair; nil where its ends' names cannot be in one: they are no record names, or have
  /// colons in a layout that joins them by colons.
  public func record(_ content: EdgeContent) -> EdgeRecord? {
    var content = isFlipped ? content.flipped : content
    guard var source = RecordName(content.source), var target = RecordName(content.target) else {
      return nil
    }
    // Without a direction the lesser name comes first.
    if edge.isSymmetric && target < source {
      swap(&source, &target)
      content = content.flipped
    }
    guard let name = edge.recordName(source: source, target: target),
      let fields = fields(content)
    else { return nil }
    return EdgeRecord(name: name, fields: fields)
  }

  private func fields(_ content: EdgeContent) -> RecordFields? {
    var fields = RecordFields()
    switch edge.layout {
    case .own(let source, let target, let sourceOrder, let targetOrder):
      fields[source] = RecordField(.string(content.source))
      fields[target] = RecordField(.string(content.target))
      // The source's order is of the targets in it.
      if let sourceOrder, let place = content.targetOrder {
        fields[sourceOrder] = RecordField(.int64(place))
      }
      if let targetOrder, let place = content.sourceOrder {
        fields[targetOrder] = RecordField(.int64(place))
      }
    case .shared(let entityNames, let recordNames, let relationships):
      let names = [content.source, content.target]
      if names.contains(where: { $0.utf8.contains(UInt8(ascii: ":")) }) { return nil }
      let far = edge.target ?? edge.source
      fields[entityNames] = RecordField(.string("\(edge.source.entity):\(far.entity)"))
      fields[recordNames] = RecordField(.string(names.joined(separator: ":")))
      fields[relationships] = RecordField(
        .string("\(edge.source.relationship):\(far.relationship)"))
    }
    return fields
  }
}

/// What a record that may be a pair's is.
public enum EdgeReading: Sendable {
  /// A pair of a relationship that is known here.
  case edge(EdgeType, EdgeContent)
  /// A pair of a relationship that is not known here, or no pair.
  case unknown
  /// A pair without what makes one, or with other types.
  case unfit([UnfitField])
}

extension ObjectRecords {
  /// What the record of a pair says.
  public func edge(recordType: String, fields: RecordFields) -> EdgeReading {
    let types = edgeTypes(recordType: recordType)
    guard let first = types.first, first.edge.recordType.utf8.elementsEqual(recordType.utf8) else {
      return .unknown
    }
    switch first.edge.layout {
    case .own: return first.ownContent(fields)
    case .shared(let entityNames, let recordNames, let relationships):
      return sharedContent(types, fields, entityNames, recordNames, relationships)
    }
  }

  /// Both ends of three texts; whichever way round they stand they are found.
  private func sharedContent(
    _ types: [EdgeType], _ fields: RecordFields, _ entityNames: String, _ recordNames: String,
    _ relationships: String
  ) -> EdgeReading {
    var unfit: [UnfitField] = []
    func both(_ field: String) -> [String] {
      let value = fields[field]?.value ?? .null
      if let text = value.text {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2 && !parts.contains("") { return parts }
      }
      unfit.append(
        UnfitField(
          field: field, property: types.first?.edge.recordType ?? "",
          expected: "STRING with two names and a colon between them", found: value.shownAsEdge))
      return ["", ""]
    }
    let (entities, names, relations) = (both(entityNames), both(recordNames), both(relationships))
    if !unfit.isEmpty { return .unfit(unfit) }
    for type in types {
      let (source, far) = (type.edge.source, type.edge.target ?? type.edge.source)
      for (a, b) in [(0, 1), (1, 0)]
      where source.relationship == relations[a] && far.relationship == relations[b]
        && type.isOf(source.entity, entities[a]) && type.isOf(far.entity, entities[b])
      {
        let content = EdgeContent(source: names[a], target: names[b])
        return .edge(type, type.isFlipped ? content.flipped : content)
      }
    }
    return .unknown
  }
}

extension EdgeType {
  /// Whether an entity is the one that declares an end, or inherits from it.
  fileprivate func isOf(_ declaring: String, _ entity: String) -> Bool {
    if declaring == entity { return true }
    guard let ancestor = layout.entity(declaring), let layout = layout.entity(entity) else {
      return false
    }
    return ancestor.family.contains(layout.index)
  }

  fileprivate func ownContent(_ fields: RecordFields) -> EdgeReading {
    guard case .own(let source, let target, let sourceOrder, let targetOrder) = edge.layout else {
      return .unknown
    }
    var unfit: [UnfitField] = []
    func refuse(_ field: String, _ value: RecordValue, _ expected: String) {
      unfit.append(
        UnfitField(
          field: field, property: edge.recordType, expected: expected, found: value.shownAsEdge))
    }
    func name(_ field: String) -> String {
      let value = fields[field]?.value ?? .null
      if let text = value.text, !text.isEmpty { return text }
      refuse(field, value, "STRING with the name of a record")
      return ""
    }
    // A place that does not fit is no place: the pair is one without it.
    func place(_ field: String?) -> Int64? {
      guard let field,
        case .int64(let place)? = try? fields[field]?.value.coerced(to: .int64, isList: false)
      else { return nil }
      return place
    }
    let content = EdgeContent(
      source: name(source), target: name(target), sourceOrder: place(targetOrder),
      targetOrder: place(sourceOrder))
    if !unfit.isEmpty { return .unfit(unfit) }
    return .edge(self, isFlipped ? content.flipped : content)
  }
}

extension RecordValue {
  fileprivate var text: String? {
    switch self {
    case .string(let text), .untyped(.string(let text)): text
    default: nil
    }
  }

  fileprivate var shownAsEdge: String {
    text.map { "\"\($0.prefix(80))\"" } ?? type?.rawValue ?? "null"
  }
}
