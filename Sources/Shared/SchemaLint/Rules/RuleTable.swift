extension Rule {
  /// Every rule, in the order of the rule reference.
  package static let all: [Rule] = validators + pitfalls + additive

  /// What the mirroring or the server refuses outright.
  package static let validators: [Rule] = [
    // What Core Data's validator lists.
    uniqueConstraint, attributeRequiredWithoutDefault, relationshipRequired, inverseMissing,
    relationshipOrdered, attributeTypeUnsupported, transformerUnknown, deleteRuleDeny,
    destinationInOtherConfiguration, recordTooLarge, mergeableStorage, encryptionMisplaced,
    ignoredPropertyMisplaced, recordMetadataNotPreserved, configurationEmpty,
    // Names that stand for nothing.
    inverseNotMutual, destinationUnknown, parentUnknownOrCircular, compositeUnknown,
    configurationMemberUnknown, fetchEntityUnknown, indexPropertyUnknown,
    uniquenessPropertyUnknown, propertyNameClash,
    // What the server refuses of record types.
    encryptedAndIndexed, indexOnUnindexable, systemFieldRetyped, unknownRole,
  ]

  /// What is accepted, and hurts later.
  package static let pitfalls: [Rule] = [
    // Deletion.
    deleteRuleNoAction, cascadeUpwards, cascadeManyToMany, cascadeBothEnds,
    nullifyRequiredInverse,
    // Values.
    frozenDefault, defaultMistyped, defaultOutsideLimits, limitsContradictory, decimalAsDouble,
    externalStorageMisplaced, transformerMissing, encryptedAndSearchable,
    // Names.
    reservedFieldName, reservedPropertyName, mappedNameCollision, namesDifferOnlyInCase,
    nameNotPortable, classNameShared,
    // Design.
    versionFieldInvalid, naturalKeyInvalid, abstractEntityWithoutChildren, tooManyFields,
    referenceLimit,
    // Record types.
    grantMissing, recordNameNotQueryable, writeToWorld, writeToAllUsers, numberWithoutPreference,
    roleUnused,
  ]

  /// What breaks apps and data that a promoted version is in use with.
  package static let additive: [Rule] = [
    typeRemoved, fieldRemoved, nameReused, typeChanged, typeReinterpreted, listChanged,
    encryptionChanged, renamed, manyToManyRenamed, rootEntityChanged, abstractChanged,
    cardinalityChanged, destinationChanged, inverseChanged, orderedChanged, optionalToRequired,
    requiredRelationshipAdded, requiredFieldOldApps, defaultChanged, validationTightened,
    minimumCountRaised, maximumCountLowered, deleteRuleTightened, uniquenessAdded,
    transformerChanged,
    externalStorageChanged, compositeChanged, naturalKeyChanged, versionFieldMissing,
    versionFieldRemoved, versionFieldRetyped, assetTwinRemoved, preferredNumberChanged,
    indexDropped, systemIndexDropped, grantRemoved, grantWidened, roleRemoved,
  ]
}
