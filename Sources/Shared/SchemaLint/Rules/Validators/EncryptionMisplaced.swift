import DataModel

extension Rule {
  /// The user-info key is the older way to ask for encryption; the validator takes it on attributes
  /// only, and not beside the newer option.
  static let encryptionMisplaced = Rule(
    "encryption-misplaced", .validator, .error, in: [.cloudkit],
    summary: "Encryption is asked for once, and of attributes only.",
    why: "the mirroring encrypts single values, and refuses a store that asks for more",
    fix: "remove the user-info key, and set allowsCloudEncryption on the attributes",
    check: entities(.mirrored) { site in
      encryptedEntities(site) + encryptedRelationships(site) + twiceEncrypted(site)
    })

  private static let encryptionKey = "NSPersistentCloudKitContainerEncryptedAttributeKey"

  private static func encryptedEntities(_ site: EntitySite) -> [Offence] {
    site.entity.userInfo[encryptionKey] == nil
      ? [] : [Offence(site.element, .userInfo, "\(site.entity.name) is marked as encrypted")]
  }

  private static func encryptedRelationships(_ site: EntitySite) -> [Offence] {
    site.entity.relationships.filter { $0.userInfo[encryptionKey] != nil }.map {
      let element = SchemaElement.relationship(entity: site.entity.name, name: $0.name)
      return Offence(element, .userInfo, "\(element) is marked as encrypted")
    }
  }

  private static func twiceEncrypted(_ site: EntitySite) -> [Offence] {
    site.entity.attributes
      .filter { $0.userInfo[encryptionKey] != nil && $0.options.contains(.encrypted) }.map {
        let element = SchemaElement.attribute(entity: site.entity.name, name: $0.name)
        return Offence(
          element, .userInfo, "\(element) is marked as encrypted in two ways at once")
      }
  }
}
