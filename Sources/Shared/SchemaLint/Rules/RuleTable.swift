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
    typeRemoved, fieldRemoved, nameReused, typeChanged, typeReinterpreted, listChanged,
    encryptionChanged, renamed, manyToManyRenamed, rootEntityChanged, abstractChanged,
    cardinalityChanged, destinationChanged, inverseChanged, orderedChanged, optionalToRequired,
    requiredRelationshipAdded, requiredFieldOldApps, defaultChanged, validationTightened,
    minimumCountRaised, maximumCountLowered, deleteRuleTightened, transformerChanged,
    externalStorageChanged, compositeChanged, naturalKeyChanged, versionFieldMissing,
    versionFieldRemoved, versionFieldRetyped, assetTwinRemoved, preferredNumberChanged,
    indexDropped, systemIndexDropped, grantRemoved, grantWidened, roleRemoved,
  ]
}
