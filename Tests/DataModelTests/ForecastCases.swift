import DataModel
import Testing

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

let attributeCases: [ForecastCase] = [
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

let relationshipCases: [ForecastCase] = [
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

let entityCases: [ForecastCase] = [
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

let strictCases: [ForecastCase] = [
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
