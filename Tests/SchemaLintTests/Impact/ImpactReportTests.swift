import DataModel
import Foundation
import SchemaFormats
import SchemaLint
import Testing

@Suite struct `The impact report` {
  private static let story = FixtureFiles.repository
    .appending(path: "Tests/Fixtures/impact/flight-log")

  private static func flightLog(_ version: Int) throws -> SchemaDocument {
    try FixtureFiles.document(story.appending(path: "FlightLog \(version).xcdatamodel"))
  }

  @Test func `tells what a normalised flight log means to both versions before it`() throws {
    let report = ImpactReport(
      of: try Self.flightLog(3), on: [try Self.flightLog(1), try Self.flightLog(2)],
      profile: .cloudkit)
    #expect(
      report.text == """
        FlightLog 1
          sees no Aircraft objects
          sees no Airport objects
          goes on showing LogEntry.aircraftType, which newer apps no longer fill: objects that they make \
        show nothing there
          goes on showing LogEntry.duration, which newer apps no longer fill: objects that they make show \
        0.0
          goes on showing LogEntry.tailNumber, which newer apps no longer fill: objects that they make show \
        nothing there
          does not see LogEntry.crewCount, and objects that it makes show 1 in newer apps
          does not see LogEntry.remarks, and keeps its value when it edits an object
          does not fetch LogEntry objects with schemaVersion above 1
          does not see LogEntry.aircraft, and keeps it when it edits an object
          shows the names of Airport records in LogEntry.destination, which is a string attribute to it
          shows the names of Airport records in LogEntry.origin, which is a string attribute to it
          does not see LogEntry.pilot, and keeps it when it edits an object
          sees no Pilot objects
        FlightLog 2
          sees no Aircraft objects
          sees no Airport objects
          goes on showing LogEntry.aircraftType, which newer apps no longer fill: objects that they make \
        show nothing there
          goes on showing LogEntry.duration, which newer apps no longer fill: objects that they make show \
        0.0
          goes on showing LogEntry.tailNumber, which newer apps no longer fill: objects that they make show \
        nothing there
          does not see LogEntry.crewCount, and objects that it makes show 1 in newer apps
          does not fetch LogEntry objects with schemaVersion above 2
          does not see LogEntry.aircraft, and keeps it when it edits an object
          shows the names of Airport records in LogEntry.destination, which is a string attribute to it
          shows the names of Airport records in LogEntry.origin, which is a string attribute to it
          does not see LogEntry.pilot, and keeps it when it edits an object
          sees no Pilot objects
        2 older versions · 2 hidden, 13 unseen, 6 stale, 4 different
        """)
  }

  @Test func `tells that nothing changes where nothing does`() throws {
    let document = try Self.flightLog(2)
    let report = ImpactReport(of: document, on: [document], profile: .contrail)
    #expect(
      report.text == """
        FlightLog 2
          sees everything as before
        1 older version, no differences
        """)
  }

  @Test func `names the place of each change in the file in hand`() throws {
    let report = ImpactReport(
      of: try Self.flightLog(2), on: [try Self.flightLog(1)], profile: .cloudkit)
    #expect(
      report.versions.flatMap(\.entries).map { "\($0.location) \($0.effect) \($0.element)" } == [
        "FlightLog 2.xcdatamodel:8:9 unseen LogEntry.remarks",
        "FlightLog 2.xcdatamodel:9:68 hidden LogEntry.schemaVersion",
      ])
  }
}
