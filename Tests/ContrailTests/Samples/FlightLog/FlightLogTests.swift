import Contrail
import Testing

@Suite("The flight log: from texts to objects")
struct FlightLogTests {
  private func first(_ url: URL) throws {
    let context = ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: FlightLog1.self),
        configurations: ModelConfiguration(url: url)))
    for (type, hours, origin, destination, tail) in [
      ("C172", 1.5, "KSFO", "KSJC", "N628TS"), ("B744", 11, "EDDF", "KSFO", "D-EABC"),
    ] {
      context.insert(
        FlightLog1.LogEntry(
          type: type, duration: hours, origin: origin, destination: destination, tailNumber: tail))
    }
    try context.save()
  }

  private func shown(_ entry: FlightLog3.LogEntry) -> String {
    let airports = [entry.origin, entry.destination].map { $0?.icaoIdentifier ?? "-" }
    let aircraft = entry.aircraft.map { "\($0.type) \($0.tailNumber)" } ?? "-"
    return "\(airports.joined(separator: " to ")), \(entry.duration) h, \(aircraft)"
  }

  @Test
  func `an entry has aircraft type, flight duration, origin, destination and tail number, no more`()
    throws
  {
    let schema = Schema(versionedSchema: FlightLog1.self)
    #expect(
      schema.entities.map(\.debugDescription) == [
        "LogEntry (destination, duration, origin, tailNumber, type)"
      ])
    let entry = try assertEntity("LogEntry", in: schema)
    try assertAttribute("type", in: entry, type: .string, isOptional: false)
    try assertAttribute("duration", in: entry, type: .double, isOptional: false)
    try assertAttribute("origin", in: entry, type: .string, isOptional: false)
    try assertAttribute("destination", in: entry, type: .string, isOptional: false)
    try assertAttribute("tailNumber", in: entry, type: .string, isOptional: false)
  }

  @Test
  func `airports and aircraft that were texts of the entries become objects, and nothing is lost`()
    throws
  {
    let folder = try TemporaryFolder()
    let url = folder.file("log.store")
    try first(url)
    let context = ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: FlightLog3.self), migrationPlan: FlightLogPlan.self,
        configurations: ModelConfiguration(url: url)))
    let entries = try context.fetch(
      FetchDescriptor(sortBy: [SortDescriptor(\FlightLog3.LogEntry.duration)]))
    #expect(
      entries.map(shown) == [
        "KSFO to KSJC, 1.5 h, C172 N628TS", "EDDF to KSFO, 11.0 h, B744 D-EABC",
      ])
    let airports = try context.fetch(
      FetchDescriptor(sortBy: [SortDescriptor(\FlightLog3.Airport.icaoIdentifier)]))
    #expect(
      airports.map { "\($0.icaoIdentifier) \($0.departures.count) \($0.arrivals.count)" } == [
        "EDDF 1 0", "KSFO 1 1", "KSJC 0 1",
      ])
    // One aircraft to one entry, from both ends.
    #expect(entries.allSatisfy { $0.aircraft?.entry === $0 })
    entries[0].pilot = FlightLog3.Pilot(name: "Ann", certificateID: "7")
    try context.save()
    #expect(try context.fetch(FetchDescriptor<FlightLog3.Pilot>()).map(\.entries.count) == [1])
  }

  @Test func `without the bridge the change is made too, but the texts are gone`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("log.store")
    try first(url)
    let container = try ModelContainer(
      for: Schema(versionedSchema: FlightLog3.self), configurations: ModelConfiguration(url: url))
    let entries = try ModelContext(container).fetch(
      FetchDescriptor(sortBy: [SortDescriptor(\FlightLog3.LogEntry.duration)]))
    #expect(entries.map(shown) == ["- to -, 1.5 h, -", "- to -, 11.0 h, -"])
  }

  @Test func `a history that writes the entries names who migrated them`() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("log.store")
    try first(url)
    let context = ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: FlightLog3.self), migrationPlan: FlightLogPlan.self,
        configurations: ModelConfiguration(url: url)))
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.first?.author == nil)
    #expect(history.count > 1)
    #expect(history.dropFirst().allSatisfy { $0.author == "contrail.migration" })
  }
}
