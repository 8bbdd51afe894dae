import DataModel
import Synchronization

/// What an encodable type is made of, where each part can have a column; so that predicates reach them.
struct CompositeShape: Sendable {
  /// A part.
  struct Member: Sendable {
    var name: String
    var isOptional: Bool
    var content: Content
    var typeName: String
    var typeIdentity: ObjectIdentifier
  }

  /// What a part holds.
  indirect enum Content: Sendable {
    /// A value in one column, as it is or by its raw value.
    case value(SchemaAttributeType)
    /// Parts of its own.
    case composite(CompositeShape)
    /// Anything else, encoded.
    case opaque
  }

  var name: String
  var members: [Member]

  /// The shape of a type; nil where it cannot be taken apart.
  static func of(_ type: any Codable.Type) -> CompositeShape? {
    let key = ObjectIdentifier(type)
    if let known = known.withLock({ $0[key] }) { return known }
    let shape = find(type, depth: 0)
    known.withLock { $0[key] = .some(shape) }
    return shape
  }

  private static let known = Mutex<[ObjectIdentifier: CompositeShape?]>([:])

  private static func find(_ type: any Codable.Type, depth: Int) -> CompositeShape? {
    let decoder = ShapeDecoder()
    guard depth < ShapeDecoder.depthMax, (try? type.init(from: decoder)) != nil, !decoder.isOpaque,
      !decoder.members.isEmpty, decoder.members.allSatisfy({ !$0.name.contains(".") })
    else { return nil }
    let members = decoder.members.map { member in
      Member(
        name: member.name, isOptional: member.isOptional,
        content: content(member.type, depth: depth + 1),
        typeName: _typeName(member.type, qualified: false),
        typeIdentity: ObjectIdentifier(member.type))
    }
    return CompositeShape(name: _typeName(type, qualified: false), members: members)
  }

  private static func content(_ type: any Any.Type, depth: Int) -> Content {
    switch PropertyKind(type) {
    case .value(let type, _), .raw(let type, _, _): return .value(type)
    case .codable(let type, _, _):
      return find(type, depth: depth).map { .composite($0) } ?? .opaque
    default: return .opaque
    }
  }

  /// The composite types that attributes of this shape refer to, its own first.
  var composites: [DataModel.Schema.Composite] {
    var found = [
      DataModel.Schema.Composite(name: name, attributes: members.map(\.attribute))
    ]
    for member in members {
      if case .composite(let shape) = member.content { found += shape.composites }
    }
    return found
  }
}

extension CompositeShape.Member {
  fileprivate var attribute: DataModel.Schema.Attribute {
    switch content {
    case .value(let type):
      return DataModel.Schema.Attribute(name: name, type: type, isOptional: isOptional)
    case .composite(let shape):
      return DataModel.Schema.Attribute(
        name: name, type: .composite, compositeName: shape.name, isOptional: isOptional)
    case .opaque:
      var made = DataModel.Schema.Attribute(
        name: name, type: .transformable, isOptional: isOptional)
      made.transformerName = CodableColumn.transformerName
      made.valueClassName = typeName
      return made
    }
  }
}
