import DataModel

extension Rule {
  static let ignoredPropertyMisplaced = Rule(
    "ignored-property-misplaced", .validator, .error, in: [.cloudkit],
    summary: "Only optional attributes are kept from mirroring, by yes or no.",
    why: "the mirroring refuses a store that leaves out relationships or required attributes",
    fix: "remove the user-info key, or make the attribute optional and say YES or NO",
    check: { pass in
      let attributes = Rule.attributes(.mirrored) { site in
        guard site.entity != nil, let word = site.attribute.userInfo[ignoredKey] else { return nil }
        guard let isIgnored = booleans[word.lowercased()] else {
          return (.userInfo, "is marked as ignored by \"\(word)\", which is neither yes nor no")
        }
        return isIgnored && !site.attribute.isOptional
          ? (.userInfo, "is marked as ignored and is required") : nil
      }
      let relationships = Rule.relationships(.mirrored) { site in
        site.relationship.userInfo[ignoredKey].flatMap { booleans[$0.lowercased()] } == true
          ? (.userInfo, "is marked as ignored") : nil
      }
      return attributes(pass) + relationships(pass)
    })

  private static let ignoredKey = "NSCloudKitMirroringDelegateIgnoredPropertyKey"

  private static let booleans = [
    "yes": true, "true": true, "1": true, "no": false, "false": false, "0": false,
  ]
}
