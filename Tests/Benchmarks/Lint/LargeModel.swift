/// A Core Data model with as many entities as asked for, ten attributes and three relationships each.
enum LargeModel {
  private static let attributes = [
    ("title", "String"), ("count", "Integer 64"), ("price", "Decimal"), ("weight", "Double"),
    ("isOpen", "Boolean"), ("createdAt", "Date"), ("uuid", "UUID"), ("picture", "Binary"),
    ("link", "URI"), ("rank", "Integer 16"),
  ]

  /// The model's XML; an older one has an attribute less and an entity less.
  static func contents(entities count: Int, isOlder: Bool = false) -> String {
    let count = isOlder ? max(1, count - 1) : count
    let entities = (0..<count).map { entity($0, of: count, isOlder: isOlder) }.joined()
    return """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
      userDefinedModelVersionIdentifier="" usedWithCloudKit="YES">
      \(entities)</model>

      """
  }

  private static func entity(_ number: Int, of count: Int, isOlder: Bool) -> String {
    let next = (number + 1) % count
    let previous = (number + count - 1) % count
    let own = attributes.dropLast(isOlder ? 1 : 0).map { name, type in
      "    <attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\"/>\n"
    }.joined()
    return """
        <entity name="Entity\(number)" representedClassName="Entity\(number)" syncable="YES">
      \(own)\(relationship("next", to: next, inverse: "previous", isToMany: false))\
      \(relationship("previous", to: previous, inverse: "next", isToMany: true))\
      \(relationship("friends", to: number, inverse: "friends", isToMany: true))  </entity>

      """
  }

  private static func relationship(
    _ name: String, to entity: Int, inverse: String, isToMany: Bool
  ) -> String {
    """
        <relationship name="\(name)" optional="YES" \(isToMany ? "toMany=\"YES\"" : "maxCount=\"1\"") \
    deletionRule="Nullify" destinationEntity="Entity\(entity)" inverseName="\(inverse)" \
    inverseEntity="Entity\(entity)"/>

    """
  }
}
