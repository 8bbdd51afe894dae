extension Rule {
  /// Every rule, in the order of the rule reference.
  package static let all: [Rule] = validators + pitfalls + additive

  /// What the mirroring or the server refuses outright.
  package static let validators: [Rule] = [
    uniqueConstraint, attributeRequiredWithoutDefault,
  ]

  /// What is accepted, and hurts later.
  package static let pitfalls: [Rule] = [
    deleteRuleNoAction
  ]

  /// What breaks apps and data that a promoted version is in use with.
  package static let additive: [Rule] = [
    fieldRemoved
  ]
}
