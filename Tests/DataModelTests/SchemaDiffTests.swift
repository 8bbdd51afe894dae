import FoundationEssentials
import Testing

@testable import DataModel

@Suite struct SchemaDiffTests {
  @Test func `a schema does not differ from itself`() {
    #expect(diff(flightLog, flightLog).isEmpty)
  }

  @Test(arguments: EntityMutation.all)
  func `each feature of an entity that changes is one difference`(_ mutation: EntityMutation) {
    let changed = flightLog.changing(entity: "LogEntry", mutation.apply)
    #expect(diff(flightLog, changed).map(\.description) == [mutation.expected])
  }

  @Test(arguments: AttributeMutation.all)
  func `each feature of an attribute that changes is one difference`(
    _ mutation: AttributeMutation
  ) {
    let changed = flightLog.changing(entity: "LogEntry") { entity in
      entity.attributes = entity.attributes.map {
        var attribute = $0
        if attribute.name == "duration" { mutation.apply(&attribute) }
        return attribute
      }
    }
    #expect(diff(flightLog, changed).map(\.description) == [mutation.expected])
  }

  @Test(arguments: RelationshipMutation.all)
  func `each feature of a relationship that changes is one difference`(
    _ mutation: RelationshipMutation
  ) {
    let changed = flightLog.changing(entity: "LogEntry") { entity in
      entity.relationships = entity.relationships.map {
        var relationship = $0
        if relationship.name == "pilot" { mutation.apply(&relationship) }
        return relationship
      }
    }
    #expect(diff(flightLog, changed).map(\.description) == [mutation.expected])
  }

  /// A feature that is added to the model without a row in the aspect tables is found here.
  @Test func `every stored feature of every part has its row in an aspect table`() {
    let entity = Schema.Entity(name: "E")
    let attribute = Schema.Attribute(name: "a", type: .string)
    let relationship = Schema.Relationship(name: "r", destination: "E")
    // Lists that are compared part by part: attributes, relationships, fetched properties, indexes,
    // uniqueness; and the name, whose change is a rename.
    #expect(Mirror(reflecting: entity).children.count == Schema.Entity.aspects.count + 6)
    // Name; and the options' set and the three limits, which have a row each.
    let optionRows = Schema.Attribute.Options.named.count
    #expect(
      Mirror(reflecting: attribute).children.count
        == Schema.Attribute.aspects.count - optionRows - 3 + 3)
    #expect(
      Mirror(reflecting: relationship).children.count == Schema.Relationship.aspects.count + 1)
    #expect(
      Mirror(reflecting: RecordSchema.Field(name: "f", type: .string)).children.count
        == RecordSchema.Field.aspects.count - RecordSchema.Indexes.named.count + 2)
    #expect(Schema.Attribute.Options.aspects.count == optionRows)
  }

  @Test func `two indexes of different columns differ, whatever the columns are called`() {
    var columns: [Schema.Index.Element] = []
    for name in ["a", "a descending", "(a)", "\"a\"", "\"a", "", "a rTree"] {
      for flags in [(false, false), (false, true), (true, false), (true, true)] {
        for arrangement in Schema.Index.Arrangement.allCases {
          columns.append(
            .init(
              name, isExpression: flags.0, arrangement: arrangement, isAscending: flags.1))
        }
      }
    }
    for (place, column) in columns.enumerated() {
      for other in columns[..<place] { #expect(column.shown != other.shown) }
    }
  }

  @Test func `user info that differs is a difference, wherever the equals signs are`() {
    let annotated = [["a=b": "c"], ["a": "b=c"], ["\"a": "b=c"], ["a\\": "b=c"], ["a=": "b=c"]].map
    { info in
      flightLog.changing(entity: "Pilot") { $0.userInfo = info }
    }
    for (place, schema) in annotated.enumerated() {
      for other in annotated[..<place] { #expect(diff(schema, other).count == 1) }
    }
  }

  @Test func `a renamed entity is one difference, though everything refers to it`() {
    var renamed = flightLog.changing(entity: "Pilot") {
      $0.name = "Aviator"
      $0.renamingIdentifier = "Pilot"
    }
    renamed = renamed.changing(entity: "LogEntry") { entity in
      entity.relationships = entity.relationships.map {
        var relationship = $0
        if relationship.destination == "Pilot" { relationship.destination = "Aviator" }
        return relationship
      }
    }
    renamed.configurations = [Schema.Configuration(name: "Local", entities: ["Aviator"])]
    #expect(diff(flightLog, renamed).map(\.description) == ["Aviator: entity renamed from Pilot"])
  }

  @Test func `a renamed property is one difference, though key, index and inverse refer to it`() {
    let renamed = flightLog.changing(entity: "LogEntry") { entity in
      entity.attributes = entity.attributes.map {
        var attribute = $0
        if attribute.name == "tailNumber" {
          attribute.name = "registration"
          attribute.renamingIdentifier = "tailNumber"
        }
        return attribute
      }
      entity.naturalKey = ["registration"]
      entity.indexes = [Schema.Index(name: "byTail", elements: [.init("registration")])]
      entity.uniquenessConstraints = [["registration"]]
    }
    #expect(
      diff(flightLog, renamed).map(\.description)
        == ["LogEntry.registration: attribute renamed from tailNumber"])
  }

  @Test func `without an identifier another name is one removed and one added`() {
    let changed = flightLog.changing(entity: "Pilot") { entity in
      entity.attributes = [Schema.Attribute(name: "fullName", type: .string)]
    }
    #expect(
      diff(flightLog, changed).map(\.description) == [
        "Pilot.fullName: attribute added", "Pilot.name: attribute removed",
      ])
  }

  @Test func `two attributes that swap names by their identifiers are two renames`() {
    let old = Schema(entities: [
      .init(
        name: "Leg",
        attributes: [.init(name: "from", type: .string), .init(name: "to", type: .string)])
    ])
    let new = Schema(entities: [
      .init(
        name: "Leg",
        attributes: [
          .init(name: "from", type: .string, renamingIdentifier: "to"),
          .init(name: "to", type: .string, renamingIdentifier: "from"),
        ])
    ])
    #expect(
      diff(old, new).map(\.description) == [
        "Leg.from: attribute renamed from to", "Leg.to: attribute renamed from from",
      ])
  }

  @Test func `a name that a rename set free is free for another attribute`() {
    let old = Schema(entities: [
      .init(name: "Plane", attributes: [.init(name: "color", type: .string)])
    ])
    let new = Schema(entities: [
      .init(
        name: "Plane",
        attributes: [
          .init(name: "color", type: .integer16),
          .init(name: "paintColor", type: .string, renamingIdentifier: "color"),
        ])
    ])
    #expect(
      diff(old, new).map(\.description) == [
        "Plane.color: attribute added", "Plane.paintColor: attribute renamed from color",
      ])
  }

  @Test func `an attribute that becomes a relationship is one removed and one added`() {
    let changed = flightLog.changing(entity: "LogEntry") { entity in
      entity.attributes.removeAll { $0.name == "duration" }
      entity.relationships.append(.init(name: "duration", destination: "Pilot"))
    }
    #expect(
      diff(flightLog, changed).map(\.description) == [
        "LogEntry.duration: attribute removed", "LogEntry.duration: relationship added",
      ])
  }

  @Test func `parts that come and go are named one by one`() {
    var changed = flightLog
    changed.entities.removeAll { $0.name == "Pilot" }
    changed.entities.append(.init(name: "Airport"))
    changed.composites = [.init(name: "Place", attributes: [.init(name: "x", type: .double)])]
    changed.configurations = []
    changed.fetchRequests = [.init(name: "All", entity: "LogEntry")]
    #expect(
      diff(flightLog, changed).map(\.description) == [
        "Airport: entity added", "Pilot: entity removed", "Place: composite type added",
        "configuration Local: configuration removed", "fetch request All: fetch request added",
      ])
  }
}

@Suite struct CanonicalNameTests {
  private func version(_ name: String, identifier: String? = nil) -> Schema {
    Schema(entities: [
      .init(
        name: "Plane",
        attributes: [.init(name: name, type: .string, renamingIdentifier: identifier)])
    ])
  }

  @Test func `an identifier that is no earlier name goes on joining the versions that share it`() {
    func version(_ name: String, identifier: String?) -> Schema {
      Schema(entities: [.init(name: name, renamingIdentifier: identifier)])
    }
    let versions = Schema.carryingCanonicalNames(through: [
      version("Playlist", identifier: nil), version("Playlist", identifier: "PlaylistV3"),
      version("Folder", identifier: "PlaylistV3"),
    ])
    #expect(
      diff(versions[0], versions[2]).map(\.description)
        == ["Folder: entity renamed from Playlist"])
  }

  @Test(arguments: ["color", "paintColor"])
  func `renamed twice, version 1 to 3 finds what 1 to 2 and 2 to 3 find`(identifier: String) {
    let versions = Schema.carryingCanonicalNames(through: [
      version("color"), version("paintColor", identifier: "color"),
      version("livery", identifier: identifier),
    ])
    #expect(
      diff(versions[0], versions[2]).map(\.description)
        == ["Plane.livery: attribute renamed from color"])
    #expect(
      diff(versions[1], versions[2]).map(\.description)
        == ["Plane.livery: attribute renamed from paintColor"])
  }

  @Test func `a composite type's member renamed twice is one rename from version 1 to 3`() {
    func version(_ name: String, identifier: String? = nil) -> Schema {
      Schema(
        entities: [],
        composites: [
          .init(
            name: "Place",
            attributes: [.init(name: name, type: .string, renamingIdentifier: identifier)])
        ])
    }
    let versions = Schema.carryingCanonicalNames(through: [
      version("a"), version("b", identifier: "a"), version("d", identifier: "b"),
    ])
    #expect(
      diff(versions[0], versions[2]).map(\.description) == [
        "Place.d: composite member renamed from a"
      ])
    #expect(
      diff(versions[1], versions[2]).map(\.description) == [
        "Place.d: composite member renamed from b"
      ])
  }

  @Test func `a name taken back is a rename, and no trace stays of it`() {
    let versions = Schema.carryingCanonicalNames(through: [
      version("color"), version("paintColor", identifier: "color"), version("color"),
    ])
    #expect(diff(versions[0], versions[2]).isEmpty)
    #expect(
      diff(versions[1], versions[2]).map(\.description)
        == ["Plane.color: attribute renamed from paintColor"])
  }
}

// MARK: The schema of these tests, and one mutation for each feature

let flightLog = Schema(
  name: "FlightLog",
  entities: [
    .init(
      name: "LogEntry",
      attributes: [
        .init(name: "duration", type: .double), .init(name: "tailNumber", type: .string),
      ],
      relationships: [.init(name: "pilot", destination: "Pilot", inverse: "entries")],
      indexes: [.init(name: "byTail", elements: [.init("tailNumber")])],
      uniquenessConstraints: [["tailNumber"]], naturalKey: ["tailNumber"]),
    .init(
      name: "Pilot", attributes: [.init(name: "name", type: .string)],
      relationships: [
        .init(name: "entries", destination: "LogEntry", inverse: "pilot", isToMany: true)
      ]),
  ], configurations: [.init(name: "Local", entities: ["Pilot"])])

extension Schema {
  func changing(entity name: String, _ change: (inout Entity) -> Void) -> Schema {
    var copy = self
    copy.entities = entities.map {
      var entity = $0
      if entity.name == name { change(&entity) }
      return entity
    }
    return copy
  }
}

struct EntityMutation: Sendable, CustomTestStringConvertible {
  let expected: String
  let apply: @Sendable (inout Schema.Entity) -> Void
  var testDescription: String { expected }

  static let all: [EntityMutation] = [
    .init(expected: "LogEntry: parent none → Pilot") { $0.parent = "Pilot" },
    .init(expected: "LogEntry: abstract no → yes") { $0.isAbstract = true },
    .init(expected: "LogEntry: class name none → Entry") { $0.className = "Entry" },
    .init(expected: "LogEntry: version field none → v") { $0.versionField = "v" },
    .init(expected: "LogEntry: natural key tailNumber → none") { $0.naturalKey = [] },
    .init(expected: "LogEntry: search display name none → x") { $0.searchDisplayName = "x" },
    .init(expected: "LogEntry: renaming identifier LogEntry → Log") {
      $0.renamingIdentifier = "Log"
    },
    .init(expected: "LogEntry: hash modifier none → 2") { $0.hashModifier = "2" },
    .init(expected: "LogEntry: user info none → a=b") { $0.userInfo = ["a": "b"] },
    .init(expected: "LogEntry unique (tailNumber): uniqueness constraint removed") {
      $0.uniquenessConstraints = []
    },
    .init(expected: "LogEntry index byTail: indexed properties tailNumber → duration descending") {
      $0.indexes = [.init(name: "byTail", elements: [.init("duration", isAscending: false)])]
    },
    .init(expected: "LogEntry index byTail: predicate none → duration > 0") {
      $0.indexes[0].predicate = "duration > 0"
    },
    .init(expected: "LogEntry.recent: fetched property added") {
      $0.fetchedProperties = [
        .init(name: "recent", request: .init(name: "recent", entity: "LogEntry"))
      ]
    },
  ]
}

struct AttributeMutation: Sendable, CustomTestStringConvertible {
  let expected: String
  let apply: @Sendable (inout Schema.Attribute) -> Void
  var testDescription: String { expected }

  private init(_ change: String, _ apply: @escaping @Sendable (inout Schema.Attribute) -> Void) {
    expected = "LogEntry.duration: \(change)"
    self.apply = apply
  }

  static let all: [AttributeMutation] = [
    .init("type double → float") { $0.type = .float },
    .init("composite type none → Place") { $0.compositeName = "Place" },
    .init("optional no → yes") { $0.isOptional = true },
    .init("default value none → 1.5") { $0.defaultValue = .double(1.5) },
    .init("transient no → yes") { $0.options.insert(.transient) },
    .init("external storage no → yes") { $0.options.insert(.externalStorage) },
    .init("encrypted no → yes") { $0.options.insert(.encrypted) },
    .init("search indexing no → yes") { $0.options.insert(.spotlight) },
    .init("preserved on deletion no → yes") { $0.options.insert(.preservedOnDeletion) },
    .init("ephemeral no → yes") { $0.options.insert(.ephemeral) },
    .init("mergeable storage no → yes") { $0.options.insert(.mergeableStorage) },
    .init("renaming identifier duration → length") { $0.renamingIdentifier = "length" },
    .init("hash modifier none → 2") { $0.hashModifier = "2" },
    .init("transformer none → T") { $0.transformerName = "T" },
    .init("value class none → C") { $0.valueClassName = "C" },
    .init("derivation none → pilot.@count") { $0.derivation = "pilot.@count" },
    .init("minimum value none → 0") { $0.validation.minimum = "0" },
    .init("maximum value none → 9") { $0.validation.maximum = "9" },
    .init("pattern none → x+") { $0.validation.pattern = "x+" },
    .init("user info none → a=b") { $0.userInfo = ["a": "b"] },
  ]
}

struct RelationshipMutation: Sendable, CustomTestStringConvertible {
  let expected: String
  let apply: @Sendable (inout Schema.Relationship) -> Void
  var testDescription: String { expected }

  private init(_ change: String, _ apply: @escaping @Sendable (inout Schema.Relationship) -> Void) {
    expected = "LogEntry.pilot: \(change)"
    self.apply = apply
  }

  static let all: [RelationshipMutation] = [
    .init("destination Pilot → LogEntry") { $0.destination = "LogEntry" },
    .init("inverse entries → none") { $0.inverse = nil },
    .init("entity of the inverse none → LogEntry") { $0.inverseEntity = "LogEntry" },
    .init("cardinality to-one → to-many") {
      $0.isToMany = true
      $0.maximumCount = 0
    },
    .init("ordered no → yes") { $0.isOrdered = true },
    .init("optional yes → no") { $0.isOptional = false },
    .init("transient no → yes") { $0.isTransient = true },
    .init("minimum count 0 → 1") { $0.minimumCount = 1 },
    .init("maximum count 0 → 3") { $0.maximumCount = 3 },
    .init("delete rule nullify → cascade") { $0.deleteRule = .cascade },
    .init("renaming identifier pilot → flier") { $0.renamingIdentifier = "flier" },
    .init("hash modifier none → 2") { $0.hashModifier = "2" },
    .init("user info none → a=b") { $0.userInfo = ["a": "b"] },
  ]
}
