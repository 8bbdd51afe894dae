import Contrail

/// Brings a store of an old version up to date, and works with it.
@main
struct Trips {
  @MainActor
  static func main() throws {
    let isToStay = CommandLine.arguments.count > 1
    let file =
      isToStay
      ? URL(fileURLWithPath: CommandLine.arguments[1])
      : FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).store")
    defer { if !isToStay { try? FileManager.default.removeItem(at: file) } }

    if !FileManager.default.fileExists(atPath: file.path) { try writeVersion1(file) }

    let container = try ModelContainer(
      for: Schema(versionedSchema: TripsVersion3.self), migrationPlan: TripsPlan.self,
      configurations: ModelConfiguration(url: file))
    let context = container.mainContext
    try show(context, "Version 3, after the migration:")

    // No other trip may be called Oslo, so this one updates that.
    context.insert(
      Trip(name: "Oslo", destination: "Norway, again", startDate: day(60), endDate: day(66)))
    try context.save()
    try show(context, "After another trip to Oslo:")

    let undo = UndoManager()
    context.undoManager = undo
    for trip in try context.fetch(
      FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Rome" }))
    {
      context.delete(trip)
    }
    try context.save()
    try show(context, "Without Rome, and what was to be done there:")

    undo.undo()
    try context.save()
    try show(context, "That was a mistake:")

    print("Its history:")
    for transaction in try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()) {
      let author = transaction.author ?? "the program"
      let count = transaction.changes.count
      let changes = count == 1 ? "1 change" : "\(count) changes"
      print("  \(transaction.transactionIdentifier): \(changes) by \(author)")
    }
  }

  /// What the first release of the app left behind: two trips have the same name.
  static func writeVersion1(_ file: URL) throws {
    let context = ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: TripsVersion1.self),
        configurations: ModelConfiguration(url: file)))
    func add(_ name: String, _ destination: String, _ first: Int, _ items: [String]) {
      let trip = TripsVersion1.Trip(
        name: name, destination: destination, start: day(first), end: day(first + 6))
      trip.bucketList = items.map { TripsVersion1.BucketListItem(title: $0) }
      trip.stay = TripsVersion1.Stay(place: "\(name) Guest House")
      context.insert(trip)
    }
    add("Rome", "Italy", 1, ["Forum", "Pantheon"])
    add("Oslo", "Norway", 20, ["Opera"])
    add("Rome", "Italy", 40, ["Colosseum"])
    try context.save()
    print("Version 1 was made, with three trips, two of them called Rome.\n")
  }

  @MainActor
  static func show(_ context: ModelContext, _ title: String) throws {
    print(title)
    for trip in try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\Trip.startDate)])) {
      let dates = [trip.startDate, trip.endDate].map {
        $0.formatted(Date.ISO8601FormatStyle().year().month().day())
      }
      let items = trip.bucketList.map(\.title).joined(separator: ", ")
      print("  \(trip.name), \(trip.destination), \(dates.joined(separator: " to ")): \(items)")
    }
    print("")
  }

  /// A day of the year that the trips are in.
  static func day(_ number: Int) -> Date {
    Date(timeIntervalSince1970: 1_767_225_600 + Double(number) * 86_400)
  }
}
