import DataModel

extension Rule {
  /// The names are those of methods without parameters of NSObject and NSManagedObject.
  ///
  /// https://developer.apple.com/documentation/coredata/nspropertydescription
  static let reservedPropertyName = Rule(
    "reserved-property-name", .pitfall, .error,
    summary: "No property has the name of something that every object has.",
    why: "the accessor hides the object's own, so that the app crashes or reads the wrong one",
    fix: "rename the property, such as details for description",
    check: entities { site in
      let reserved = reservedPropertyNames[site.context.profile] ?? []
      return site.entity.properties.filter { reserved.contains($0.name) }.map {
        Offence($0.element, .name, "\($0.element) is a name that every object already has")
      }
    })

  private static let reservedPropertyNames: [LintProfile: Set<String>] = [
    .cloudkit: [
      // NSObject.
      "autorelease", "class", "className", "copy", "dealloc", "debugDescription", "description",
      "finalize", "hash", "init", "isProxy", "mutableCopy", "release", "retain", "retainCount",
      "self", "superclass", "zone",
      // NSManagedObject; the names without "is", such as deleted, are free and in use.
      "awakeFromFetch", "awakeFromInsert", "changedValues", "changedValuesForCurrentEvent",
      "didSave", "didTurnIntoFault", "entity", "faultingState", "hasChanges",
      "hasPersistentChangedValues", "isDeleted", "isFault", "isInserted", "isUpdated",
      "managedObjectContext", "objectID", "objectWillChange", "observationInfo",
      "prepareForDeletion", "willSave", "willTurnIntoFault",
    ],
    .contrail: [
      "hasChanges", "hashValue", "isDeleted", "modelContext", "persistentBackingData",
      "persistentModelID", "self",
    ],
  ]
}
