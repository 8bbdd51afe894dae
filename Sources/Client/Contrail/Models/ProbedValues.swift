import DataModel
import ObjectStore

/// Values for slots of which few values can be read, so that made-up ones would not do: raw values of
/// enumerations, and what is encoded within composite values.
struct ProbedValues {
  /// The values by the slot's name.
  private(set) var values: [String: [FieldValue]] = [:]

  /// How many values of one enumeration are tried.
  static let casesMax = 64

  init(_ properties: [KnownProperty]) {
    for property in properties {
      if case .raw(_, let type, _) = property.kind { add(type, property.name) }
      if let shape = property.shape { add(shape, property.name) }
    }
  }

  /// How many rounds it takes to try them all.
  var rounds: Int { max(PathProbe.rounds, values.values.map(\.count).max() ?? 0) }

  /// Whether a property gives different values in different rounds.
  ///
  /// A composite one may have parts of which no value can be made; it is known by the slots alone.
  func differ(in property: KnownProperty) -> Bool {
    property.isComparable && property.shape == nil && values[property.name]?.count != 1
  }

  private mutating func add(_ type: any RawRepresentable.Type, _ name: String) {
    let found = Self.rawValues(type)
    if !found.isEmpty { values[name] = found }
  }

  private mutating func add(_ shape: CompositeShape, _ path: String) {
    for member in shape.members {
      let name = "\(path).\(member.name)"
      switch member.content {
      case .composite(let inner): add(inner, name)
      case .opaque: if let bytes = Self.encoded(member.type) { values[name] = [.data(bytes)] }
      case .value: if let raw = member.type as? any RawRepresentable.Type { add(raw, name) }
      }
    }
  }

  private static func rawValues<Raw: RawRepresentable>(_ type: Raw.Type) -> [FieldValue] {
    StandIn.cases(type).prefix(casesMax).compactMap { FieldValue(captured: $0.rawValue) }
  }

  private static func encoded<Value>(_ type: Value.Type) -> [UInt8]? {
    StandIn.possible(type).flatMap { CodableColumn.bytes(of: $0) }
  }
}

extension KnownProperty {
  /// Whether the values that it gives can be compared: they are no models, and not encoded whole, so that
  /// made-up bytes would have to be decoded.
  var isComparable: Bool {
    switch kind {
    case .toOne, .toMany, .transformed, .unsupported: false
    case .codable: shape != nil
    case .value, .raw: true
    }
  }
}
