import Contrail
import Testing

/// What a program's own tests say of its schema.
@Suite struct SchemaAssertionTests {
  @Test func `a schema made of model classes is held to what was designed`() throws {
    let schema = Schema([Trip.self])
    let trip = try assertEntity("Trip", in: schema)
    try assertAttribute("name", in: trip, type: .string, isOptional: false)
    try assertRelationship("items", in: trip, to: "BucketListItem")
    #expect(throws: SchemaAssertionFailure.self) {
      try assertAttribute("name", in: trip, type: .double)
    }
    #expect(throws: SchemaAssertionFailure.self) { try assertEntity("Flight", in: schema) }
  }
}
