package import DataModel
import FoundationEssentials

extension FieldValue {
  /// A random value: mostly of `kind`, sometimes of another, as a mistyped default is.
  package static func random(
    like kind: Kind?, using generator: inout SeededGenerator, depth: Int = 0
  ) -> FieldValue {
    let choices = depth < 3 ? Kind.allCases : Kind.allCases.filter { !nesting.contains($0) }
    let other = generator.pick(choices, or: .string)
    return make(generator.oneIn(4) ? other : kind ?? other, using: &generator, depth: depth)
  }

  private static let nesting: Set<Kind> = [.composite, .list]

  private static func make(
    _ kind: Kind, using generator: inout SeededGenerator, depth: Int
  ) -> FieldValue {
    switch kind {
    case .null: return .null
    case .boolean: return .boolean(generator.oneIn(2))
    case .integer: return .integer(integer(using: &generator))
    case .double: return .double(double(using: &generator))
    case .decimal: return .decimal(decimal(using: &generator))
    case .string: return .string(RandomNames.text(&generator))
    case .date: return .date(date(using: &generator))
    case .data: return .data((0..<generator.below(20)).map { _ in UInt8(generator.below(256)) })
    case .uuid:
      return .uuid(
        UUID(
          version7At: Date(timeIntervalSince1970: 0), random: (generator.next(), generator.next())))
    case .uri: return .uri(RandomNames.text(&generator))
    case .objectID:
      return .objectID(
        ObjectIdentity(
          store: UUID(
            version7At: Date(timeIntervalSince1970: 0), random: (generator.next(), generator.next())
          ),
          entity: RandomNames.text(&generator), key: integer(using: &generator)))
    case .composite:
      let names = generator.distinct(upTo: 3, RandomNames.text)
      return .composite(
        Dictionary(
          names.map { ($0, random(like: nil, using: &generator, depth: depth + 1)) },
          uniquingKeysWith: { first, _ in first }))
    case .list:
      return .list(
        (0..<generator.below(4)).map { _ in
          random(like: nil, using: &generator, depth: depth + 1)
        })
    }
  }

  private static func integer(using generator: inout SeededGenerator) -> Int64 {
    let edges: [Int64] = [0, 1, -1, .max, .min, 1 << 53, -(1 << 53) - 1]
    return generator.oneIn(2)
      ? generator.pick(edges, or: 0) : Int64(truncatingIfNeeded: generator.next())
  }

  private static func double(using generator: inout SeededGenerator) -> Double {
    let edges: [Double] = [
      0, -0.0, 0.1, 1e300, -1e-300, .nan, .infinity, -.infinity, .leastNonzeroMagnitude,
      .greatestFiniteMagnitude, 1 / 3, 0x1p53,
    ]
    return generator.oneIn(2)
      ? generator.pick(edges, or: 0) : Double(bitPattern: generator.next())
  }

  private static func decimal(using generator: inout SeededGenerator) -> Decimal {
    if generator.oneIn(20) { return .nan }
    let digits = Decimal(
      string: String(generator.next()) + String(generator.next() % 1_000_000_000))
    return Decimal(
      sign: generator.oneIn(2) ? .plus : .minus, exponent: generator.below(200) - 100,
      significand: generator.oneIn(3) ? Decimal(generator.below(100)) : digits ?? 0)
  }

  private static func date(using generator: inout SeededGenerator) -> Date {
    let whole = Double(generator.below(400_000_000_000) - 100_000_000_000)
    let number = double(using: &generator)
    let seconds = generator.oneIn(3) ? (number.isNaN ? 0.25 : number) : whole
    return Date(timeIntervalSinceReferenceDate: generator.oneIn(4) ? seconds / 7 : seconds)
  }
}
