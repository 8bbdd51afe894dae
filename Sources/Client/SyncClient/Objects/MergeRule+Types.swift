import DataModel
import SyncCore

extension MergeRule.Name {
  /// Whether the rule means something for values of that type; a rule that does not would leave every conflict to the
  /// later edit, and nobody would know.
  func suits(_ type: Schema.AttributeType, _ profile: MappingProfile) -> Bool {
    // There decimals are doubles on their way; in our own profile they are texts, which neither add up nor have the
    // order of numbers.
    let type = profile == .coreData && type == .decimal ? .double : type
    return Self.types[self]?.contains(type) ?? true
  }

  private static let numbers: Set<Schema.AttributeType> = [
    .integer16, .integer32, .integer64, .float, .double,
  ]

  /// The types of the rules that do not go with all.
  private static let types: [MergeRule.Name: Set<Schema.AttributeType>] = [
    .counter: numbers,
    .union: [.string],
    .minimum: numbers.union([.boolean, .date, .string]),
    .maximum: numbers.union([.boolean, .date, .string]),
  ]
}
