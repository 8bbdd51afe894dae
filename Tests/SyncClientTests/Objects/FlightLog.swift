import DataModel

/// Every kind of relationship: one-to-one, also with itself; one-to-many, ordered; many-to-many, ordered
/// at one end; many-to-many with itself; entities that share a table; a reference without an inverse.
enum FlightLog {
  static let schema = Schema(
    name: "FlightLog",
    entities: [
      Schema.Entity(
        name: "Person", attributes: [name],
        relationships: [
          Schema.Relationship(name: "spouse", destination: "Person", inverse: "spouse"),
          Schema.Relationship(
            name: "friends", destination: "Person", inverse: "friends", isToMany: true),
        ], versionField: "name", naturalKey: ["name", "spouse"]),
      Schema.Entity(
        name: "Pilot", parent: "Person",
        attributes: [
          Schema.Attribute(
            name: "hours", type: .double, isOptional: true,
            userInfo: ["contrail.merge": "counter"])
        ],
        relationships: [
          Schema.Relationship(name: "license", destination: "License", inverse: "holder"),
          Schema.Relationship(
            name: "entries", destination: "Entry", inverse: "pilot", isToMany: true,
            isOrdered: true),
        ]),
      Schema.Entity(name: "Instructor", parent: "Pilot"),
      Schema.Entity(
        name: "License",
        attributes: [Schema.Attribute(name: "number", type: .string, isOptional: true)],
        relationships: [
          Schema.Relationship(name: "holder", destination: "Pilot", inverse: "license")
        ]),
      Schema.Entity(
        name: "Entry",
        attributes: [
          Schema.Attribute(name: "route", type: .string, isOptional: true),
          Schema.Attribute(
            name: "shout", type: .string, isOptional: true, derivation: "uppercase:(route)"),
        ],
        relationships: [
          Schema.Relationship(name: "pilot", destination: "Pilot", inverse: "entries"),
          Schema.Relationship(name: "witness", destination: "Person"),
          Schema.Relationship(
            name: "tags", destination: "Tag", inverse: "entries", isToMany: true,
            isOrdered: true),
        ]),
      Schema.Entity(
        name: "Tag", attributes: [name],
        relationships: [
          Schema.Relationship(
            name: "entries", destination: "Entry", inverse: "tags", isToMany: true)
        ]),
    ])

  private static let name = Schema.Attribute(name: "name", type: .string, isOptional: true)
}

/// Every type of attribute, as one that may be without a value, as one that must have one, and as one
/// with a default.
enum AllTypes {
  static let types: [Schema.AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
    .binaryData, .uuid, .uri, .transformable,
  ]

  static let schema = Schema(
    name: "AllTypes",
    entities: [
      Schema.Entity(
        name: "Value",
        attributes: types.flatMap { type in
          [
            Schema.Attribute(name: "\(type.rawValue)Maybe", type: type, isOptional: true),
            Schema.Attribute(name: "\(type.rawValue)Must", type: type),
          ]
        } + [
          Schema.Attribute(name: "count", type: .integer32, defaultValue: .integer(7)),
          Schema.Attribute(name: "word", type: .string, defaultValue: .string("none")),
          Schema.Attribute(
            name: "secret", type: .string, isOptional: true, options: .encrypted),
        ])
    ])
}
