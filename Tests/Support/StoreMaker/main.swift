import DataModel
import Foundation
import ObjectStore
import SQLiteDriver
import Synchronization

// Makes the stores that the tool's tests look into: the same bytes of data each time, since clock and
// identifiers are fixed.
//
//   store-maker log sqlite|binary|xml PATH   a flight log with history
//   store-maker core-data PATH               an SQLite database as Core Data lays it out
//   store-maker newer PATH                   a flight log of a format that does not exist yet

/// A clock that goes on by a minute each time that it is read.
final class Clock: Sendable {
  private let minutes = Mutex(0)

  func next() -> Date {
    let minute = minutes.withLock { minutes in
      minutes += 1
      return minutes
    }
    return Date(timeIntervalSince1970: 1_767_603_600 + Double(minute) * 60)
  }
}

typealias Attribute = Schema.Attribute
typealias Relationship = Schema.Relationship

let schema = Schema(
  name: "FlightLog", versionIdentifier: "1",
  entities: [
    Schema.Entity(
      name: "Pilot",
      attributes: [
        Attribute(name: "licence", type: .string, isOptional: true),
        Attribute(name: "name", type: .string, defaultValue: .string("")),
      ],
      relationships: [
        Relationship(name: "entries", destination: "LogEntry", inverse: "pilot", isToMany: true)
      ]),
    Schema.Entity(
      name: "Instructor", parent: "Pilot",
      attributes: [Attribute(name: "since", type: .date, isOptional: true)]),
    Schema.Entity(
      name: "LogEntry",
      attributes: [
        Attribute(name: "day", type: .date, isOptional: true),
        Attribute(name: "flightTime", type: .double, defaultValue: .double(0)),
        Attribute(name: "isNight", type: .boolean, defaultValue: .boolean(false)),
        Attribute(name: "remarks", type: .string, isOptional: true),
        Attribute(
          name: "tailNumber", type: .string, defaultValue: .string(""),
          options: .preservedOnDeletion),
        Attribute(name: "track", type: .binaryData, isOptional: true),
      ],
      relationships: [
        Relationship(name: "pilot", destination: "Pilot", inverse: "entries")
      ]),
  ])

func makeLog(_ location: Store.Location) throws {
  let clock = Clock()
  var environment = Store.Environment.system
  environment.now = { clock.next() }
  environment.newIdentifier = {
    UUID(uuidString: "0C0AEA6E-5D1B-4B7E-9C55-2F0B7A1C9D10") ?? UUID()
  }
  environment.processName = "flightlog"
  let store = try Store(at: location, schema: schema, environment: environment)
  let context = ModelContext(store)
  context.author = "import"
  var pilots: [ManagedObject] = []
  for (entity, name) in [("Pilot", "Ann"), ("Pilot", "Bo"), ("Instructor", "Cleo")] {
    let pilot = try context.insert(entity)
    try pilot.setValue("name", .string(name))
    pilots.append(pilot)
    // One save each: the order in which a save writes new objects is its own.
    try context.save()
  }
  let flights: [(tail: String, hours: Double, pilot: Int?)] = [
    ("N628TS", 1.5, 0), ("D-EABC", 2.25, 0), ("N628TS", 0.75, 1), ("D-EABC", 3, 2),
    ("OE-KLM", 0, nil),
  ]
  var entries: [ManagedObject] = []
  for (index, flight) in flights.enumerated() {
    let entry = try context.insert("LogEntry")
    try entry.setValue("tailNumber", .string(flight.tail))
    try entry.setValue("flightTime", .double(flight.hours))
    try entry.setValue(
      "day", .date(Date(timeIntervalSince1970: 1_766_300_000 + Double(index) * 86_400)))
    try entry.setRelated("pilot", flight.pilot.map { pilots[$0] })
    entries.append(entry)
    try context.save()
  }
  try store.registerReader("sync")
  try store.advanceReader("sync", to: store.historyToken())
  context.author = "app"
  try entries[0].setValue("remarks", .string("first solo\nin the rain"))
  try entries[0].setValue("track", .data([1, 2, 3]))
  try pilots[1].setValue("licence", .string("PPL"))
  try context.save()
  try context.delete(entries[2])
  try context.save()
  try store.setUserFact("device", to: "phone")
}

func makeCoreData(_ path: String) throws {
  let connection = try Connection(.file(path))
  try connection.execute(
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
  try connection.execute("CREATE TABLE ZLOGENTRY (Z_PK INTEGER PRIMARY KEY, ZTAILNUMBER VARCHAR)")
}

func make(_ arguments: [String]) throws {
  switch arguments.first {
  case "log" where arguments.count == 3:
    guard let kind = StoreKind(rawValue: arguments[1]) else { break }
    return try makeLog(Store.Location(kind, path: arguments[2]))
  case "core-data" where arguments.count == 2: return try makeCoreData(arguments[1])
  case "newer" where arguments.count == 2:
    try makeLog(.file(arguments[1]))
    return try Connection(.file(arguments[1]), mode: .readWrite).execute("PRAGMA user_version = 99")
  default: break
  }
  print("usage: store-maker log sqlite|binary|xml PATH | core-data PATH | newer PATH")
  exit(64)
}

do {
  try make(Array(CommandLine.arguments.dropFirst()))
} catch {
  print(error)
  exit(1)
}
