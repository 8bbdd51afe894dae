import Testing

@testable import DataModel

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

@Suite struct CompositeTypeForecastTests {
  /// An entity with one composite attribute of a type with these members.
  private func schema(
    _ name: String, member: Schema.Attribute, others: [Schema.Composite] = []
  ) -> Schema {
    Schema(
      entities: [
        .init(
          name: "E",
          attributes: [
            .init(name: "x", type: .composite, compositeName: name, isOptional: true)
          ])
      ], composites: [.init(name: name, attributes: [member])] + others)
  }

  private func steps(_ old: Schema, _ new: Schema) -> [String] {
    MigrationForecast(from: old, to: new).steps.map(\.description).filter { $0.hasPrefix("E.x") }
  }

  @Test func `a composite type that only gets another name keeps its values`() {
    let member = Schema.Attribute(name: "days", type: .integer64)
    #expect(
      steps(schema("Details", member: member), schema("Sailing.Details", member: member)) == [
        "E.x: composite type Details → Sailing.Details: automatic "
          + "(the parts are the same, and only their type has another name)"
      ])
  }

  @Test func `so does one whose inner type gets another name, in a circle too`() {
    func circle(_ name: String, _ inner: String) -> Schema {
      let member = Schema.Attribute(name: "next", type: .composite, compositeName: inner)
      return schema(
        name, member: member,
        others: [
          .init(
            name: inner,
            attributes: [.init(name: "back", type: .composite, compositeName: name)])
        ])
    }
    #expect(circle("A", "B").hasSameParts("A", as: "C", of: circle("C", "D")))
    #expect(!circle("A", "B").hasSameParts("A", as: "D", of: circle("C", "D")))
  }

  @Test func `a composite type with other parts needs a stage`() {
    let old = schema("Details", member: .init(name: "days", type: .integer64))
    for member in [
      Schema.Attribute(name: "days", type: .string), .init(name: "nights", type: .integer64),
    ] {
      #expect(
        steps(old, schema("Stay", member: member)) == [
          "E.x: composite type Details → Stay: needs a stage "
            + "(the members of another composite type are other columns); loses the values of E.x"
        ])
    }
  }
}
