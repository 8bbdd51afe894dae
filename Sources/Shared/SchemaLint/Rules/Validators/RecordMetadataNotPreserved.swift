import DataModel

extension Rule {
  /// The attributes in which Apple's own models keep a record's identity and system fields.
  static let recordMetadataNotPreserved = Rule(
    "record-metadata-not-preserved", .validator, .error, in: [.cloudkit],
    summary: "Attributes that hold a record's identity are preserved on deletion.",
    why: "once the object is gone, its record can only be deleted by the identity in history",
    fix: "set preservesValueInHistoryOnDeletion on the attribute",
    check: attributes(.mirrored) { site in
      guard let entity = site.entity, metadataNames.contains(site.attribute.name),
        !site.attribute.options.contains(.preservedOnDeletion),
        !tombstoneNames(of: entity).contains(site.attribute.name)
      else { return nil }
      return (.preservedOnDeletion, "holds a record's metadata and is not preserved on deletion")
    })

  private static let metadataNames: Set<String> = ["ckRecordID", "ckRecordSystemFields"]

  /// The older way to preserve attributes: their names in the entity's user info.
  private static func tombstoneNames(of entity: Schema.Entity) -> [String] {
    (entity.userInfo["NSPersistentHistoryTombstoneAttributes"] ?? "")
      .split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
  }
}
