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

    /// The shape of a part that has parts of its own.
    var inner: CompositeShape? {
      if case .composite(let inner) = content { return inner }
      return nil
    }

    /// The type itself, without what makes it optional; its identity is its address.
    var type: any Any.Type { unsafeBitCast(typeIdentity, to: Any.Type.self) }
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
  /// The name with those of the types that the type is declared in.
  var qualifiedName: String
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
    guard depth < ShapeDecoder.depthMax, let standIn = try? type.init(from: decoder),
      !decoder.isOpaque, !decoder.members.isEmpty,
      decoder.members.allSatisfy({ !$0.name.contains(".") }),
      isWhole(decoder.members, of: standIn), writes(standIn, decoder.members)
    else { return nil }
    let members = decoder.members.map { member in
      Member(
        name: member.name,
        isOptional: member.isOptional || member.type is any OptionalValue.Type,
        content: content(member.type, depth: depth + 1),
        typeName: _typeName(member.type, qualified: false),
        typeIdentity: ObjectIdentifier(unwrapped(member.type)))
    }
    return CompositeShape(
      name: _typeName(type, qualified: false), qualifiedName: nameWithinModule(type),
      members: members)
  }

  /// Whether what a type has read is all that a value of it has.
  ///
  /// An enumeration, and a structure that reads one part or another, have values with other parts than
  /// the one that was made here.
  private static func isWhole(_ members: [ShapeDecoder.Member], of value: any Codable) -> Bool {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .struct else { return false }
    func counted(_ types: [any Any.Type]) -> [ObjectIdentifier: Int] {
      Dictionary(types.map { (ObjectIdentifier(unwrapped($0)), 1) }, uniquingKeysWith: +)
    }
    // Coding keys may be in another order than the properties, and have other names.
    return counted(mirror.children.map { Swift.type(of: $0.value) }) == counted(members.map(\.type))
  }

  /// Whether a value writes nothing but what was read.
  private static func writes(_ value: any Codable, _ members: [ShapeDecoder.Member]) -> Bool {
    let encoder = ShapeEncoder()
    guard (try? value.encode(to: encoder)) != nil, !encoder.isOpaque else { return false }
    let read = Dictionary(
      members.map { ($0.name, ObjectIdentifier(unwrapped($0.type))) },
      uniquingKeysWith: { first, _ in first })
    return encoder.written.allSatisfy { name, type in
      guard let known = read[name] else { return false }
      return type == nil || type == known
    }
  }

  /// The name of a type with those of the types that it is in, without its module's.
  private static func nameWithinModule(_ type: any Any.Type) -> String {
    // What is private, or within a function, has an address in its name: another one each time.
    let parts = _typeName(type).replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
    return parts.firstIndex(of: ".").map { String(parts[$0...].dropFirst()) } ?? parts
  }

  private static func content(_ type: any Any.Type, depth: Int) -> Content {
    switch PropertyKind(type) {
    // Here an empty column says that the part is missing, not that its raw value is.
    case .raw(_, let raw, _) where hasOptionalRawValue(raw):
      return encoded(raw as? any Codable.Type, depth: depth)
    case .value(let type, _), .raw(let type, _, _): return .value(type)
    case .codable(let type, _, _): return encoded(type, depth: depth)
    default: return .opaque
    }
  }

  private static func encoded(_ type: (any Codable.Type)?, depth: Int) -> Content {
    type.flatMap { find($0, depth: depth) }.map { .composite($0) } ?? .opaque
  }

  private static func hasOptionalRawValue<Raw: RawRepresentable>(_: Raw.Type) -> Bool {
    Raw.RawValue.self is any OptionalValue.Type
  }

  /// This shape and those of its parts, its own first.
  var all: [CompositeShape] {
    [self]
      + members.flatMap { member -> [CompositeShape] in
        if case .composite(let shape) = member.content { shape.all } else { [] }
      }
  }
}

extension CompositeShape: Equatable {
  /// Whether both lie in equal columns, of whichever types they are.
  static func == (first: CompositeShape, second: CompositeShape) -> Bool {
    first.name == second.name && first.members == second.members
  }
}

extension CompositeShape.Content: Equatable {}

extension CompositeShape.Member: Equatable {
  static func == (first: Self, second: Self) -> Bool {
    first.name == second.name && first.isOptional == second.isOptional
      && first.content == second.content && first.typeName == second.typeName
  }
}
