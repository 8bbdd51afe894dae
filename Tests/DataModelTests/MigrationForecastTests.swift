import Testing

@testable import DataModel

/// One row of the inference table: what the change is, and what becomes of the store.
struct ForecastCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let old: Schema
  let new: Schema
  let expected: [String]

  init(
    _ name: String, _ expected: String...,
    change: (inout Schema.Entity, inout Schema.Entity) -> Void
  ) {
    testDescription = name
    self.expected = expected
    var old = Schema.Entity(name: "E")
    var new = Schema.Entity(name: "E")
    change(&old, &new)
    let others = [
      Schema.Entity(name: "D"), Schema.Entity(name: "Child", parent: "E"),
    ]
    self.old = Schema(entities: others + [old])
    self.new = Schema(entities: others + [new])
  }
}

@Suite struct MigrationForecastTests {
  @Test(arguments: attributeCases + relationshipCases + entityCases)
  func `the inference table says of each change what becomes of the data`(_ row: ForecastCase) {
    let steps = MigrationForecast(from: row.old, to: row.new).steps
    #expect(steps.map(\.description) == row.expected)
  }

  @Test(arguments: strictCases)
  func `the strict rule wants a stage where inference alone is not sure`(_ row: ForecastCase) {
    let steps = MigrationForecast(from: row.old, to: row.new, rule: .strict).steps
    #expect(steps.map(\.description) == row.expected)
  }

  @Test func `the verdict on a whole migration is the worst of its steps`() {
    func verdict(_ change: (inout Schema) -> Void) -> MigrationForecast.Verdict {
      var new = flightLog
      change(&new)
      return MigrationForecast(from: flightLog, to: new).verdict
    }
    #expect(verdict { _ in } == .automatic)
    #expect(
      verdict { $0.entities[0].attributes.append(.init(name: "x", type: .string)) } == .needsStage)
    #expect(
      verdict {
        $0.entities[0].attributes.append(.init(name: "x", type: .string))
        $0.entities[0].attributes.append(.init(name: "y", type: .undefined))
      } == .refused)
  }

  @Test func `hierarchies that had nothing in common cannot be merged`() {
    let old = Schema(entities: [.init(name: "A"), .init(name: "B")])
    let new = Schema(entities: [
      .init(name: "A", parent: "P"), .init(name: "B", parent: "P"), .init(name: "P"),
    ])
    #expect(
      MigrationForecast(from: old, to: new).steps.map(\.description) == [
        "P: entity added: automatic (a new table for P)",
        "A: parent none → P: refused (merges hierarchies: A and B had no common parent before; "
          + "keep them apart, or copy the objects to a new entity in a stage)",
        "B: parent none → P: refused (merges hierarchies: B and A had no common parent before; "
          + "keep them apart, or copy the objects to a new entity in a stage)",
      ])
  }

  @Test func `entities of one hierarchy may be moved within it and out of it`() {
    let old = Schema(entities: [
      .init(name: "A", parent: "P"), .init(name: "B", parent: "P"), .init(name: "P"),
    ])
    let new = Schema(entities: [
      .init(name: "A", parent: "B"), .init(name: "B"), .init(name: "P"),
    ])
    #expect(MigrationForecast(from: old, to: new).verdict == .automatic)
  }

  /// `P` with its child `C`, one of which has a required attribute and a required relationship.
  private func family(_ owner: String, isParentAbstract: Bool) -> Schema {
    Schema(entities: [
      .init(name: "P", isAbstract: isParentAbstract), .init(name: "C", parent: "P"),
    ]).changing(entity: owner) {
      $0.attributes = [.init(name: "x", type: .string)]
      $0.relationships = [.init(name: "r", destination: "P", isOptional: false)]
    }
  }

  private func steps(_ old: Schema, _ new: Schema) -> [String] {
    MigrationForecast(from: old, to: new).steps.map(\.description)
  }

  @Test func `properties that move to an abstract parent keep their values`() {
    #expect(
      steps(family("C", isParentAbstract: true), family("P", isParentAbstract: true)) == [
        "C.x: attribute removed: automatic (moved to P.x with its values)",
        "C.r: relationship removed: automatic (moved to P.r with its links)",
        "P.x: attribute added: automatic (moved from C.x with its values)",
        "P.r: relationship added: automatic (moved from C.r with its links)",
      ])
  }

  @Test func `required properties that move to a parent with objects leave those without`() {
    #expect(
      steps(family("C", isParentAbstract: false), family("P", isParentAbstract: false)) == [
        "C.x: attribute removed: automatic (moved to P.x with its values)",
        "C.r: relationship removed: automatic (moved to P.r with its links)",
        "P.x: attribute added: needs a stage "
          + "(required without a default value: existing objects would have none)",
        "P.r: relationship added: needs a stage "
          + "(a new required relationship: existing objects would hold none)",
      ])
  }

  @Test func `properties that move to a child are lost to the parent's own objects`() {
    #expect(
      steps(family("P", isParentAbstract: false), family("C", isParentAbstract: false)) == [
        "C.x: attribute added: automatic (moved from P.x with its values)",
        "C.r: relationship added: automatic (moved from P.r with its links)",
        "P.x: attribute removed: automatic (moved to C.x with its values); "
          + "loses the values of P.x in objects of P",
        "P.r: relationship removed: automatic (moved to C.r with its links); "
          + "loses the links of P.r in objects of P",
      ])
  }

  @Test func `a new parent may take properties of its child with their values`() {
    let old = Schema(entities: [.init(name: "C", attributes: [.init(name: "x", type: .string)])])
    let new = Schema(entities: [
      .init(name: "C", parent: "P"),
      .init(name: "P", attributes: [.init(name: "x", type: .string)]),
    ])
    #expect(
      steps(old, new) == [
        "P: entity added: automatic (a new table for P)",
        "C: parent none → P: automatic (moved from C.x with its values)",
        "C.x: attribute removed: automatic (moved to P.x with its values)",
      ])
  }

  @Test func `a parent that is dissolved into its child leaves it the values`() {
    let old = Schema(entities: [
      .init(name: "C", parent: "P"),
      .init(name: "P", attributes: [.init(name: "x", type: .string)]),
    ])
    let new = Schema(entities: [.init(name: "C", attributes: [.init(name: "x", type: .string)])])
    #expect(
      steps(old, new) == [
        "P: entity removed: automatic (its table is dropped); loses every P object",
        "C: parent P → none: automatic (rows keep all that they hold)",
        "C.x: attribute added: automatic (moved from P.x with its values)",
      ])
  }

  @Test func `an entity that leaves its parent loses what it inherited`() {
    let parent = Schema.Entity(name: "P", attributes: [.init(name: "x", type: .string)])
    let old = Schema(entities: [parent, .init(name: "C", parent: "P")])
    let new = Schema(entities: [parent, .init(name: "C")])
    #expect(
      steps(old, new) == [
        "C: parent P → none: automatic (P.x is inherited no longer); "
          + "loses the values of P.x in objects of C"
      ])
  }

  @Test func `an entity that gets a parent needs values for what it inherits`() {
    let old = Schema(entities: [.init(name: "C")])
    let new = Schema(entities: [
      .init(name: "C", parent: "P"),
      .init(name: "P", isAbstract: true, attributes: [.init(name: "y", type: .string)]),
    ])
    #expect(
      steps(old, new) == [
        "P: entity added: automatic (a new table for P)",
        "C: parent none → P: needs a stage "
          + "(required without a default value: existing objects would have none)",
      ])
  }

  @Test func `a property that moves and changes is judged by what changes`() {
    func schema(_ owner: String, isOptional: Bool, to destination: String) -> Schema {
      Schema(entities: [
        .init(name: "P", isAbstract: true), .init(name: "C", parent: "P"), .init(name: "D"),
        .init(name: "X"),
      ]).changing(entity: owner) {
        $0.attributes = [.init(name: "x", type: .string, isOptional: isOptional)]
        $0.relationships = [.init(name: "r", destination: destination)]
      }
    }
    #expect(
      steps(
        schema("C", isOptional: true, to: "D"), schema("P", isOptional: false, to: "X")
      ).filter { $0.contains("added") } == [
        "P.x: attribute added: needs a stage "
          + "(required without a default value: objects without a value would be invalid)",
        "P.r: relationship added: needs a stage (links to D objects are none to X objects); "
          + "loses the links of P.r",
      ])
  }

  @Test func `a property that is renamed and changes is judged by what changes`() {
    let old = Schema(entities: [
      .init(name: "E", attributes: [.init(name: "a", type: .string, isOptional: true)])
    ])
    let new = Schema(entities: [
      .init(
        name: "E",
        attributes: [
          .init(name: "b", type: .integer64, isOptional: true, renamingIdentifier: "a")
        ])
    ])
    #expect(
      steps(old, new) == [
        "E.b: attribute renamed from a: automatic (recognised by its renaming identifier)",
        "E.b: type string → integer64: needs a stage (not every string value fits integer64); "
          + "loses values of E.b that do not convert",
      ])
  }

  @Test func `a new attribute under a name that a rename set free takes no values from it`() {
    let old = Schema(entities: [.init(name: "E", attributes: [.init(name: "a", type: .string)])])
    let new = Schema(entities: [
      .init(
        name: "E",
        attributes: [
          .init(name: "a", type: .string),
          .init(name: "b", type: .string, renamingIdentifier: "a"),
        ])
    ])
    #expect(
      steps(old, new) == [
        "E.a: attribute added: needs a stage "
          + "(required without a default value: existing objects would have none)",
        "E.b: attribute renamed from a: automatic (recognised by its renaming identifier)",
      ])
  }

  @Test func `what is not stored needs no stage`() {
    func schema(_ type: Schema.AttributeType, isOptional: Bool) -> Schema {
      Schema(entities: [
        .init(
          name: "E",
          attributes: [
            .init(name: "t", type: type, isOptional: isOptional, options: .transient),
            .init(name: "u", type: .integer64, isOptional: isOptional, derivation: "r.@count"),
          ])
      ])
    }
    let forecast = MigrationForecast(
      from: schema(.string, isOptional: true), to: schema(.integer64, isOptional: false))
    #expect(forecast.steps.count == 3)
    #expect(forecast.verdict == .automatic)
    #expect(forecast.steps.allSatisfy { $0.loss == nil })
  }

  @Test func `a configuration that goes leaves a store that nobody opens`() {
    let old = Schema(
      entities: [.init(name: "E")], configurations: [.init(name: "Local", entities: ["E"])])
    #expect(
      steps(old, Schema(entities: [.init(name: "E")])) == [
        "configuration Local: configuration removed: needs a stage "
          + "(its store has no schema any more: copy its objects to the store they belong to)"
      ])
  }
}

private let attributeCases: [ForecastCase] = [
  .init(
    "add an optional attribute",
    "E.x: attribute added: automatic (existing objects have no value)"
  ) { $1.attributes = [.init(name: "x", type: .string, isOptional: true)] },
  .init(
    "add a required attribute with a default",
    "E.x: attribute added: automatic (existing objects get the default value 0)"
  ) { $1.attributes = [.init(name: "x", type: .integer64, defaultValue: .integer(0))] },
  .init(
    "add a required attribute without a default",
    "E.x: attribute added: needs a stage "
      + "(required without a default value: existing objects would have none)"
  ) { $1.attributes = [.init(name: "x", type: .string)] },
  .init(
    "add a transient attribute", "E.x: attribute added: automatic (nothing is stored for it)"
  ) { $1.attributes = [.init(name: "x", type: .string, options: .transient)] },
  .init(
    "add a derived attribute",
    "E.x: attribute added: automatic (computed for existing objects)"
  ) { $1.attributes = [.init(name: "x", type: .integer64, derivation: "r.@count")] },
  .init(
    "add an attribute that no store can keep",
    "E.x: attribute added: refused (a store keeps no values of type objectID)"
  ) { $1.attributes = [.init(name: "x", type: .objectID, isOptional: true)] },
  .init(
    "remove an attribute",
    "E.x: attribute removed: automatic (its values are dropped); loses the values of E.x"
  ) { old, _ in old.attributes = [.init(name: "x", type: .string)] },
  .init(
    "rename an attribute",
    "E.y: attribute renamed from x: automatic (recognised by its renaming identifier)"
  ) {
    $0.attributes = [.init(name: "x", type: .string)]
    $1.attributes = [.init(name: "y", type: .string, renamingIdentifier: "x")]
  },
  .init(
    "optional to required with a default",
    "E.x: optional yes → no: automatic (objects without a value get the default value \"-\")",
    "E.x: default value none → \"-\": automatic "
      + "(new objects start with it; existing ones keep their values)"
  ) {
    $0.attributes = [.init(name: "x", type: .string, isOptional: true)]
    $1.attributes = [.init(name: "x", type: .string, defaultValue: .string("-"))]
  },
  .init(
    "optional to required without a default",
    "E.x: optional yes → no: needs a stage "
      + "(required without a default value: objects without a value would be invalid)"
  ) {
    $0.attributes = [.init(name: "x", type: .string, isOptional: true)]
    $1.attributes = [.init(name: "x", type: .string)]
  },
  .init(
    "required to optional", "E.x: optional no → yes: automatic (existing values stay)"
  ) {
    $0.attributes = [.init(name: "x", type: .string)]
    $1.attributes = [.init(name: "x", type: .string, isOptional: true)]
  },
  .init(
    "widen a number",
    "E.x: type integer16 → integer64: automatic "
      + "(every integer16 value fits integer64)"
  ) {
    $0.attributes = [.init(name: "x", type: .integer16)]
    $1.attributes = [.init(name: "x", type: .integer64)]
  },
  .init(
    "narrow a number",
    "E.x: type integer32 → integer16: needs a stage (not every integer32 value fits "
      + "integer16); loses values of E.x that do not convert"
  ) {
    $0.attributes = [.init(name: "x", type: .integer32)]
    $1.attributes = [.init(name: "x", type: .integer16)]
  },
  .init(
    "text to number",
    "E.x: type string → integer64: needs a stage (not every string value fits integer64); "
      + "loses values of E.x that do not convert"
  ) {
    $0.attributes = [.init(name: "x", type: .string)]
    $1.attributes = [.init(name: "x", type: .integer64)]
  },
  .init(
    "files beside the store become columns",
    "E.x: external storage yes → no: needs a stage "
      + "(values must be moved between files beside the store and the store itself)"
  ) {
    $0.attributes = [.init(name: "x", type: .binaryData, options: .externalStorage)]
    $1.attributes = [.init(name: "x", type: .binaryData)]
  },
  .init(
    "an attribute becomes transient",
    "E.x: transient no → yes: automatic (no longer stored); loses the values of E.x"
  ) {
    $0.attributes = [.init(name: "x", type: .string)]
    $1.attributes = [.init(name: "x", type: .string, options: .transient)]
  },
  .init(
    "an attribute becomes a relationship",
    "E.x: attribute removed: automatic (its values are dropped); loses the values of E.x",
    "E.x: relationship added: automatic (existing objects have no links)"
  ) {
    $0.attributes = [.init(name: "x", type: .string)]
    $1.relationships = [.init(name: "x", destination: "D")]
  },
]

private let relationshipCases: [ForecastCase] = [
  .init(
    "add an optional relationship",
    "E.r: relationship added: automatic (existing objects have no links)"
  ) { $1.relationships = [.init(name: "r", destination: "D")] },
  .init(
    "add a required to-many without a minimum count",
    "E.r: relationship added: automatic "
      + "(required, but without a minimum count: existing objects hold none)"
  ) { $1.relationships = [.init(name: "r", destination: "D", isToMany: true, isOptional: false)] },
  .init(
    "add a required to-many with a minimum count",
    "E.r: relationship added: needs a stage "
      + "(a new required relationship: existing objects would hold none)"
  ) {
    $1.relationships = [
      .init(name: "r", destination: "D", isToMany: true, isOptional: false, minimumCount: 1)
    ]
  },
  .init(
    "add a required to-one",
    "E.r: relationship added: needs a stage "
      + "(a new required relationship: existing objects would hold none)"
  ) { $1.relationships = [.init(name: "r", destination: "D", isOptional: false)] },
  .init(
    "remove a relationship",
    "E.r: relationship removed: automatic (its links are dropped); loses the links of E.r"
  ) { old, _ in old.relationships = [.init(name: "r", destination: "D")] },
  .init(
    "to-one to to-many",
    "E.r: cardinality to-one → to-many: automatic (each link becomes one of many)"
  ) {
    $0.relationships = [.init(name: "r", destination: "D")]
    $1.relationships = [.init(name: "r", destination: "D", isToMany: true)]
  },
  .init(
    "to-many to to-one",
    "E.r: cardinality to-many → to-one: needs a stage "
      + "(objects that hold several must keep one); loses all but one link of E.r"
  ) {
    $0.relationships = [.init(name: "r", destination: "D", isToMany: true)]
    $1.relationships = [.init(name: "r", destination: "D")]
  },
  .init(
    "order a to-many",
    "E.r: ordered no → yes: automatic (links get an order, that of their creation)"
  ) {
    $0.relationships = [.init(name: "r", destination: "D", isToMany: true)]
    $1.relationships = [.init(name: "r", destination: "D", isToMany: true, isOrdered: true)]
  },
  .init(
    "change a delete rule",
    "E.r: delete rule nullify → cascade: automatic (applies to deletions from now on)"
  ) {
    $0.relationships = [.init(name: "r", destination: "D")]
    $1.relationships = [.init(name: "r", destination: "D", deleteRule: .cascade)]
  },
  .init(
    "another destination",
    "E.r: destination D → E: needs a stage (links to D objects are none to E objects); "
      + "loses the links of E.r"
  ) {
    $0.relationships = [.init(name: "r", destination: "D")]
    $1.relationships = [.init(name: "r", destination: "E")]
  },
  .init(
    "a destination widened to its parent",
    "E.r: destination Child → E: automatic (every Child object is of entity E too; links stay)"
  ) {
    $0.relationships = [.init(name: "r", destination: "Child")]
    $1.relationships = [.init(name: "r", destination: "E")]
  },
  .init(
    "an existing to-many becomes required",
    "E.r: optional yes → no: automatic (existing links stay; holding none is allowed)"
  ) {
    $0.relationships = [.init(name: "r", destination: "D", isToMany: true)]
    $1.relationships = [.init(name: "r", destination: "D", isToMany: true, isOptional: false)]
  },
  .init(
    "an existing to-one becomes required",
    "E.r: optional yes → no: needs a stage (objects that hold none would be invalid)"
  ) {
    $0.relationships = [.init(name: "r", destination: "D")]
    $1.relationships = [.init(name: "r", destination: "D", isOptional: false)]
  },
]

private let entityCases: [ForecastCase] = [
  .init("an index", "E index i: index added: automatic (the index is built)") {
    $1.indexes = [.init(name: "i", elements: [.init("x")])]
  },
  .init(
    "a new unique constraint",
    "E unique (x): uniqueness constraint added: needs a stage "
      + "(existing duplicates must be merged or deleted first)"
  ) { $1.uniquenessConstraints = [["x"]] },
  .init(
    "a unique constraint less",
    "E unique (x): uniqueness constraint removed: automatic (the unique index is dropped)"
  ) { old, _ in old.uniquenessConstraints = [["x"]] },
  .init(
    "an entity becomes abstract",
    "E: abstract no → yes: needs a stage (existing objects need a concrete entity); "
      + "loses every object that is E itself"
  ) { $1.isAbstract = true },
]

private let strictCases: [ForecastCase] = [
  .init(
    "another type of a transient attribute",
    "E.x: type string → transformable: needs a stage "
      + "(type changed from string to transformable)"
  ) {
    $0.attributes = [.init(name: "x", type: .string, options: .transient)]
    $1.attributes = [.init(name: "x", type: .transformable, options: .transient)]
  },
  .init(
    "widen a number",
    "E.x: type integer16 → integer64: needs a stage (type changed from integer16 to integer64)"
  ) {
    $0.attributes = [.init(name: "x", type: .integer16)]
    $1.attributes = [.init(name: "x", type: .integer64)]
  },
  .init(
    "add a required to-many without a minimum count",
    "E.r: relationship added: needs a stage "
      + "(a new required relationship: existing objects would hold none)"
  ) { $1.relationships = [.init(name: "r", destination: "D", isToMany: true, isOptional: false)] },
  .init(
    "an existing to-many becomes required",
    "E.r: optional yes → no: automatic (existing links stay; holding none is allowed)"
  ) {
    $0.relationships = [.init(name: "r", destination: "D", isToMany: true)]
    $1.relationships = [.init(name: "r", destination: "D", isToMany: true, isOptional: false)]
  },
]
