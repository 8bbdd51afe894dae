import Contrail
import Testing

@testable import flightlog

/// Writes `Schema.json` where the models have changed, and fails once then.
@Test func schemaFile() throws {
  try assertSchema(flightLogSchema, isIn: "Schema.json")
}
