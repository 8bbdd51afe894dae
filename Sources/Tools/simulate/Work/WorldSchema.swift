import DataModel

/// The schema of a world's objects, in both of its versions.
///
/// `uid` tells an object on all devices, and never changes; all other values are written once in a world,
/// so that whoever sees one knows whose it is.
enum WorldSchema {
  static func schema(version: Int, features: Set<Feature>) -> Schema {
    let isOrdered = features.contains(.ordered)
    let files = features.contains(.files) ? [photo] : []
    var items = attributes("title", "note") + files
    items.append(
      Schema.Attribute(
        name: "count", type: .integer64, isOptional: true,
        userInfo: ["contrail.merge": "counter"]))
    if features.contains(.laterRecords) { items.append(minimum) }
    var itemRelationships = [
      Schema.Relationship(name: "owner", destination: "Person", inverse: "items"),
      Schema.Relationship(name: "tags", destination: "Tag", inverse: "items", isToMany: true),
      Schema.Relationship(name: "airport", destination: keyed, inverse: "items"),
    ]
    var entities = [
      Schema.Entity(
        name: "Person", attributes: attributes("name", "mark"),
        relationships: [
          Schema.Relationship(
            name: "items", destination: "Item", inverse: "owner", isToMany: true,
            isOrdered: isOrdered),
          Schema.Relationship(name: "badge", destination: "Badge", inverse: "holder"),
          Schema.Relationship(
            name: "visits", destination: keyed, inverse: "visitors", isToMany: true),
        ]),
      airport,
      Schema.Entity(
        name: "Badge", attributes: attributes("name"),
        relationships: [
          Schema.Relationship(name: "holder", destination: "Person", inverse: "badge")
        ]),
      Schema.Entity(
        name: "Tag", attributes: attributes("name"),
        relationships: [
          Schema.Relationship(name: "items", destination: "Item", inverse: "tags", isToMany: true)
        ]),
    ]
    if version > 1 {
      items += [Schema.Attribute(name: "extra", type: .string, isOptional: true)]
      itemRelationships.append(
        Schema.Relationship(
          name: "gadgets", destination: "Gadget", inverse: "item", isToMany: true))
      entities.append(
        Schema.Entity(
          name: "Gadget", attributes: attributes("name") + files,
          relationships: [
            Schema.Relationship(name: "item", destination: "Item", inverse: "gadgets")
          ]))
    }
    entities.append(
      Schema.Entity(
        name: "Item", attributes: items, relationships: itemRelationships,
        versionField: features.contains(.laterRecords) ? minimum.name : nil))
    return Schema(name: "World", entities: entities)
  }

  /// The entity whose objects become one where they have the same code.
  static let keyed = "Airport"

  private static var airport: Schema.Entity {
    Schema.Entity(
      name: keyed, attributes: attributes("code", "name"),
      relationships: [
        Schema.Relationship(name: "items", destination: "Item", inverse: "airport", isToMany: true),
        Schema.Relationship(
          name: "visitors", destination: "Person", inverse: "visits", isToMany: true),
      ], naturalKey: ["code"])
  }

  private static func attributes(_ names: String...) -> [Schema.Attribute] {
    (["uid"] + names).map { Schema.Attribute(name: $0, type: .string, isOptional: true) }
  }

  /// The version of the program from which on an object is to be seen.
  static let minimum = Schema.Attribute(name: "minimum", type: .integer64, isOptional: true)

  /// A value that is a file on the server.
  static let photo = Schema.Attribute(
    name: "photo", type: .binaryData, isOptional: true, options: .externalStorage)

  /// The entities whose objects have a photo.
  static func withPhotos(version: Int) -> [String] { version > 1 ? ["Item", "Gadget"] : ["Item"] }

  /// The attributes of an entity whose last edit wins.
  static func texts(of entity: String, version: Int) -> [String] {
    switch entity {
    case "Item": version > 1 ? ["title", "note", "extra"] : ["title", "note"]
    default: ["name"]
    }
  }

  /// The attributes of an entity whose values tell who has written them.
  static func marked(_ entity: String, version: Int, features: Set<Feature>) -> [String] {
    let hasPhoto = features.contains(.files) && withPhotos(version: version).contains(entity)
    return texts(of: entity, version: version) + (entity == "Person" ? ["mark"] : [])
      + (hasPhoto ? ["photo"] : [])
  }

  /// The entities whose objects people make, edit and delete in every world.
  static func entities(version: Int) -> [String] {
    ["Person", "Badge", "Tag", "Item"] + (version > 1 ? ["Gadget"] : [])
  }
}
