import DataModel
import Foundation
import Testing

@testable import ObjectStore

/// One row of the inference table with data: what the change is, what the store held and what it holds.
struct MigrationCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let old: Schema
  let new: Schema
  let expected: [String]
  /// What the lists of E's first object hold before, as places among the objects of D.
  let members: [Int]

  /// Changes entity E, which has the objects 1 and 2; beside it is D with the objects 1 and 2, and a
  /// child of E with the object 3.
  init(
    _ name: String, _ expected: String..., members: [Int] = [1, 0],
    change: (inout Sides) -> Void
  ) {
    testDescription = name
    self.expected = expected
    self.members = members
    var sides = Sides()
    change(&sides)
    let (old, new) = (sides.old, sides.new)
    let child = Schema.Entity(name: "Child", parent: old.name)
    let newChild = Schema.Entity(name: "Child", parent: new.name)
    self.old = Schema(entities: [old, sides.oldOther, child])
    self.new = Schema(entities: [new, sides.newOther, newChild])
  }
}

extension MigrationCase {
  /// The entities before and after.
  struct Sides {
    var old = Schema.Entity(name: "E")
    var new = Schema.Entity(name: "E")
    var oldOther = Schema.Entity(name: "D")
    var newOther = Schema.Entity(name: "D")
  }

  func fill(_ context: ModelContext) throws {
    let d1 = try context.insert("D")
    let d2 = try context.insert("D")
    try context.save()
    let entity = old.entities.first { $0.parent == nil && $0.name != "D" }?.name ?? "E"
    let e1 = try context.insert(entity)
    let e2 = try context.insert(entity)
    let child = try context.insert("Child")
    for (index, object) in [e1, e2, child].enumerated() {
      for attribute in old.entity(entity)?.attributes ?? [] {
        if attribute.isOptional && index == 1 { continue }
        try object.setValue(attribute.name, Self.value(attribute.type, index))
      }
    }
    for relationship in old.entity(entity)?.relationships ?? [] {
      if relationship.isToMany {
        try e1.setRelated(relationship.name, members.map { [d1, d2][$0] })
      } else {
        try e1.setRelated(relationship.name, d2)
        try child.setRelated(relationship.name, d1)
      }
    }
  }

  static func value(_ type: Schema.AttributeType, _ index: Int) -> FieldValue {
    switch type {
    case .integer16, .integer32, .integer64: .integer(Int64(index + 10))
    case .double, .float: .double(Double(index) + 0.5)
    default: .string("v\(index)")
    }
  }
}

private let inferred: [MigrationCase] = [
  .init(
    "add an optional attribute", "E 1: x=null", "E 2: x=null", "Child 3: x=null"
  ) {
    $0.new.attributes = [
      .init(name: "x", type: .string, isOptional: true, defaultValue: .string("-"))
    ]
  },
  .init(
    "add a required attribute with a default", "E 1: x=7", "E 2: x=7", "Child 3: x=7"
  ) { $0.new.attributes = [.init(name: "x", type: .integer64, defaultValue: .integer(7))] },
  .init("remove an attribute", "E 1: ", "E 2: ", "Child 3: ") {
    $0.old.attributes = [.init(name: "x", type: .string)]
  },
  .init(
    "rename an attribute", "E 1: y=\"v0\"", "E 2: y=\"v1\"", "Child 3: y=\"v2\""
  ) {
    $0.old.attributes = [.init(name: "x", type: .string)]
    $0.new.attributes = [.init(name: "y", type: .string, renamingIdentifier: "x")]
  },
  .init(
    "swap the names of two attributes", "E 1: x=10 y=\"v0\"", "E 2: x=11 y=\"v1\"",
    "Child 3: x=12 y=\"v2\""
  ) {
    $0.old.attributes = [.init(name: "x", type: .string), .init(name: "y", type: .integer64)]
    $0.new.attributes = [
      .init(name: "y", type: .string, renamingIdentifier: "x"),
      .init(name: "x", type: .integer64, renamingIdentifier: "y"),
    ]
  },
  .init(
    "optional to required with a default", "E 1: x=\"v0\"", "E 2: x=\"-\"", "Child 3: x=\"v2\""
  ) {
    $0.old.attributes = [.init(name: "x", type: .string, isOptional: true)]
    $0.new.attributes = [.init(name: "x", type: .string, defaultValue: .string("-"))]
  },
  .init("required to optional", "E 1: x=\"v0\"", "E 2: x=\"v1\"", "Child 3: x=\"v2\"") {
    $0.old.attributes = [.init(name: "x", type: .string)]
    $0.new.attributes = [.init(name: "x", type: .string, isOptional: true)]
  },
  .init("widen an integer", "E 1: x=10", "E 2: x=11", "Child 3: x=12") {
    $0.old.attributes = [.init(name: "x", type: .integer16)]
    $0.new.attributes = [.init(name: "x", type: .integer64)]
  },
  .init("an integer becomes a double", "E 1: x=10.0", "E 2: x=11.0", "Child 3: x=12.0") {
    $0.old.attributes = [.init(name: "x", type: .integer32)]
    $0.new.attributes = [.init(name: "x", type: .double)]
  },
  .init("an integer becomes a decimal", "E 1: x=10", "E 2: x=11", "Child 3: x=12") {
    $0.old.attributes = [.init(name: "x", type: .integer64)]
    $0.new.attributes = [.init(name: "x", type: .decimal)]
  },
  .init("a float becomes a double", "E 1: x=0.5", "E 2: x=1.5", "Child 3: x=2.5") {
    $0.old.attributes = [.init(name: "x", type: .float)]
    $0.new.attributes = [.init(name: "x", type: .double)]
  },
  .init("narrow an integer whose values all fit", "E 1: x=10", "E 2: x=11", "Child 3: x=12") {
    $0.old.attributes = [.init(name: "x", type: .integer64)]
    $0.new.attributes = [.init(name: "x", type: .integer16)]
  },
  .init(
    "an attribute becomes a relationship", "E 1: x=[]", "E 2: x=[]", "Child 3: x=[]"
  ) {
    $0.old.attributes = [.init(name: "x", type: .string)]
    $0.new.relationships = [.init(name: "x", destination: "D")]
  },
  .init("add an optional relationship", "E 1: r=[]", "E 2: r=[]", "Child 3: r=[]") {
    $0.new.relationships = [.init(name: "r", destination: "D")]
  },
  .init("add a required to-many", "E 1: r=[]", "E 2: r=[]", "Child 3: r=[]") {
    $0.new.relationships = [.init(name: "r", destination: "D", isToMany: true, isOptional: false)]
  },
  .init("remove a relationship", "E 1: ", "E 2: ", "Child 3: ") {
    $0.old.relationships = [.init(name: "r", destination: "D", isToMany: true)]
  },
  .init("rename a relationship", "E 1: s=[2]", "E 2: s=[]", "Child 3: s=[1]") {
    $0.old.relationships = [.init(name: "r", destination: "D")]
    $0.new.relationships = [.init(name: "s", destination: "D", renamingIdentifier: "r")]
  },
  .init(
    "to-one becomes to-many", "E 1: r=[2]", "E 2: r=[]", "Child 3: r=[1]"
  ) {
    $0.old.relationships = [.init(name: "r", destination: "D")]
    $0.new.relationships = [.init(name: "r", destination: "D", isToMany: true)]
  },
  .init(
    "to-one with an inverse becomes many-to-many, renamed at once", "E 1: rs=[2]", "E 2: rs=[]",
    "Child 3: rs=[1]", "D 1: es=[3]", "D 2: es=[1]"
  ) {
    $0.old.relationships = [.init(name: "r", destination: "D", inverse: "es")]
    $0.oldOther.relationships = [.init(name: "es", destination: "E", inverse: "r", isToMany: true)]
    $0.new.relationships = [
      .init(name: "rs", destination: "D", inverse: "es", isToMany: true, renamingIdentifier: "r")
    ]
    $0.newOther.relationships = [.init(name: "es", destination: "E", inverse: "rs", isToMany: true)]
  },
  .init(
    "one-to-many becomes the other way round with one each", "E 1: r=[2]", "E 2: r=[]",
    "Child 3: r=[1]", "D 1: es=[3]", "D 2: es=[1]"
  ) {
    $0.old.relationships = [.init(name: "r", destination: "D", inverse: "es")]
    $0.oldOther.relationships = [.init(name: "es", destination: "E", inverse: "r", isToMany: true)]
    $0.new.relationships = [.init(name: "r", destination: "D", inverse: "es", isToMany: true)]
    $0.newOther.relationships = [.init(name: "es", destination: "E", inverse: "r")]
  },
  .init(
    "a to-many gets an order", "E 1: r=[1, 2]", "E 2: r=[]", "Child 3: r=[]"
  ) {
    $0.old.relationships = [.init(name: "r", destination: "D", isToMany: true)]
    $0.new.relationships = [.init(name: "r", destination: "D", isToMany: true, isOrdered: true)]
  },
  .init(
    "an ordered to-many keeps its order through a rename", "E 1: s=[2, 1]", "E 2: s=[]",
    "Child 3: s=[]"
  ) {
    $0.old.relationships = [.init(name: "r", destination: "D", isToMany: true, isOrdered: true)]
    $0.new.relationships = [
      .init(
        name: "s", destination: "D", isToMany: true, isOrdered: true, renamingIdentifier: "r")
    ]
  },
  .init(
    "an ordered to-many loses its order", "E 1: r=[1, 2]", "E 2: r=[]", "Child 3: r=[]"
  ) {
    $0.old.relationships = [.init(name: "r", destination: "D", isToMany: true, isOrdered: true)]
    $0.new.relationships = [.init(name: "r", destination: "D", isToMany: true)]
  },
  .init(
    "a to-many gets an inverse", "E 1: r=[1, 2]", "E 2: r=[]", "Child 3: r=[]", "D 1: e=[1]",
    "D 2: e=[1]"
  ) {
    $0.old.relationships = [.init(name: "r", destination: "D", isToMany: true)]
    $0.new.relationships = [.init(name: "r", destination: "D", inverse: "e", isToMany: true)]
    $0.newOther.relationships = [.init(name: "e", destination: "E", inverse: "r")]
  },
  .init(
    "an ordered to-many gets an inverse and keeps its order", "E 1: r=[2, 1]", "E 2: r=[]",
    "Child 3: r=[]", "D 1: e=[1]", "D 2: e=[1]"
  ) {
    $0.old.relationships = [.init(name: "r", destination: "D", isToMany: true, isOrdered: true)]
    $0.new.relationships = [
      .init(name: "r", destination: "D", inverse: "e", isToMany: true, isOrdered: true)
    ]
    $0.newOther.relationships = [.init(name: "e", destination: "E", inverse: "r")]
  },
  .init(
    "a to-many that holds one object at most becomes to-one", "E 1: r=[2]", "E 2: r=[]",
    "Child 3: r=[]", members: [1]
  ) {
    $0.old.relationships = [.init(name: "r", destination: "D", isToMany: true)]
    $0.new.relationships = [.init(name: "r", destination: "D")]
  },
  .init(
    "a to-many that holds one object at most becomes to-one, as its inverse is", "E 1: r=[2]",
    "E 2: r=[]", "Child 3: r=[1]", "D 1: es=[3]", "D 2: es=[1]"
  ) {
    $0.old.relationships = [.init(name: "r", destination: "D", inverse: "es")]
    $0.oldOther.relationships = [.init(name: "es", destination: "E", inverse: "r", isToMany: true)]
    $0.new.relationships = [.init(name: "r", destination: "D", inverse: "es")]
    $0.newOther.relationships = [.init(name: "es", destination: "E", inverse: "r")]
  },
  .init(
    "a to-one loses its inverse", "E 1: r=[2]", "E 2: r=[]", "Child 3: r=[1]"
  ) {
    $0.old.relationships = [.init(name: "r", destination: "D", inverse: "e")]
    $0.oldOther.relationships = [.init(name: "e", destination: "E", inverse: "r", isToMany: true)]
    $0.new.relationships = [.init(name: "r", destination: "D")]
  },
  .init("change a delete rule", "E 1: r=[2]", "E 2: r=[]", "Child 3: r=[1]") {
    $0.old.relationships = [.init(name: "r", destination: "D")]
    $0.new.relationships = [.init(name: "r", destination: "D", deleteRule: .cascade)]
  },
  .init("rename an entity", "F 1: x=\"v0\"", "F 2: x=\"v1\"", "Child 3: x=\"v2\"") {
    $0.old.attributes = [.init(name: "x", type: .string)]
    $0.new.attributes = [.init(name: "x", type: .string)]
    $0.new.name = "F"
    $0.new.renamingIdentifier = "E"
  },
]

@Suite struct InferredMigrationTests {
  @Test(arguments: inferred)
  func `a change that can be inferred keeps the data`(_ change: MigrationCase) throws {
    let bench = try MigrationBench()
    try bench.fill(change.old) { try change.fill($0) }
    let found = try bench.contents(change.new)
    let wanted = change.expected
    #expect(found.filter { !$0.hasPrefix("D") || wanted.contains($0) }.sorted() == wanted.sorted())
    let shapes = try bench.shapes(change.new)
    #expect(shapes.found == shapes.expected)
    #expect(try Store.facts(at: bench.path).schema == change.new)
    // What was migrated can be used: new objects get new keys.
    try bench.fill(change.new) { context in
      let name = change.new.entities.first { $0.parent == nil && $0.name != "D" }?.name ?? "E"
      let object = try context.insert(name)
      for attribute in change.new.entity(name)?.attributes ?? []
      where !attribute.isOptional && attribute.defaultValue == nil {
        let value = MigrationCase.value(attribute.type, 5)
        try object.setValue(attribute.name, attribute.type == .decimal ? .integer(3) : value)
      }
      try context.save()
      #expect(object.key > 3)
    }
  }
}
