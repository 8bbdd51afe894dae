import Testing

@testable import DataModel

@Suite struct SchemaAssertionTests {
  @Test func `a schema that is as designed passes`() throws {
    let entry = try assertEntity("LogEntry", in: flightLog)
    try assertAttribute("duration", in: entry, type: .double, isOptional: false)
    try assertRelationship(
      "pilot", in: entry, to: "Pilot", inverse: "entries", isToMany: false, deleteRule: .nullify)
    try assertUnique("tailNumber", in: entry)
  }

  @Test func `a difference is said with what there is instead`() throws {
    let entry = try assertEntity("LogEntry", in: flightLog)
    expect("Flight: expected an entity, found the entities LogEntry, Pilot") {
      try assertEntity("Flight", in: flightLog)
    }
    expect(
      "LogEntry.length: expected an attribute of type double, "
        + "found the attributes duration, tailNumber"
    ) { try assertAttribute("length", in: entry, type: .double) }
    expect("LogEntry.duration: expected type float, found type double") {
      try assertAttribute("duration", in: entry, type: .float)
    }
    expect("LogEntry.duration: expected optional true, found optional false") {
      try assertAttribute("duration", in: entry, type: .double, isOptional: true)
    }
    expect("LogEntry.pilot: expected inverse logs, found inverse entries") {
      try assertRelationship("pilot", in: entry, to: "Pilot", inverse: "logs")
    }
    expect("LogEntry.pilot: expected delete rule cascade, found delete rule nullify") {
      try assertRelationship("pilot", in: entry, to: "Pilot", deleteRule: .cascade)
    }
    expect("LogEntry: expected to be unique by (duration), found the constraints (tailNumber)") {
      try assertUnique("duration", in: entry)
    }
  }

  private func expect(_ description: String, _ check: () throws -> some Any) {
    let failure = #expect(throws: SchemaAssertionFailure.self) { _ = try check() }
    #expect(failure?.description == description)
  }
}
