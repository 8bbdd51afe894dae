import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

/// The trips of WWDC23-10195: version 2 makes names unique, version 3 renames the dates.
enum SampleTrips {
  static func trip(_ start: String, _ end: String, isRenamed: Bool, isUnique: Bool) -> Schema {
    Schema(
      name: "SampleTrips",
      entities: [
        Schema.Entity(
          name: "Trip",
          attributes: [
            .init(name: "name", type: .string),
            .init(name: start, type: .date, renamingIdentifier: isRenamed ? "start_date" : nil),
            .init(name: end, type: .date, renamingIdentifier: isRenamed ? "end_date" : nil),
          ], uniquenessConstraints: isUnique ? [["name"]] : [])
      ])
  }

  static let first = trip("start_date", "end_date", isRenamed: false, isUnique: false)
  static let second = trip("start_date", "end_date", isRenamed: false, isUnique: true)
  static let third = trip("startDate", "endDate", isRenamed: true, isUnique: true)

  static func stages() throws -> MigrationStages {
    try MigrationStages(
      versions: [first, second, third],
      stages: [
        .custom(
          from: first, to: second, label: "unique names",
          willMigrate: { context in
            var names: Set<String> = []
            for trip in try context.all("Trip") {
              if !names.insert(try trip.value("name").shown).inserted { try context.delete(trip) }
            }
          }), .lightweight(from: second, to: third),
      ])
  }

  static func fill(_ context: ModelContext) throws {
    for (index, name) in ["Rome", "Oslo", "Rome", "Rome", "Lima"].enumerated() {
      let trip = try context.insert("Trip")
      try trip.setValue("name", .string(name))
      let date = Date(timeIntervalSinceReferenceDate: Double(index) * 86_400)
      try trip.setValue("start_date", .date(date))
      try trip.setValue("end_date", .date(date))
    }
  }

  static let expected = [
    "Trip 1: endDate=2001-01-01T00:00:00Z name=\"Rome\" startDate=2001-01-01T00:00:00Z",
    "Trip 2: endDate=2001-01-02T00:00:00Z name=\"Oslo\" startDate=2001-01-02T00:00:00Z",
    "Trip 5: endDate=2001-01-05T00:00:00Z name=\"Lima\" startDate=2001-01-05T00:00:00Z",
  ]
}

/// The flight log of WWDC22-10120: airports, aircraft and pilots become objects of their own.
enum FlightLogVersions {
  static let first = Schema(entities: [
    .init(
      name: "LogEntry",
      attributes: [
        .init(name: "origin", type: .string), .init(name: "destination", type: .string),
        .init(name: "tailNumber", type: .string), .init(name: "type", type: .string),
        .init(name: "pilot", type: .string, isOptional: true),
        .init(name: "hours", type: .double),
      ])
  ])
  static let second = Schema(entities: [
    .init(
      name: "LogEntry", attributes: [.init(name: "hours", type: .double)],
      relationships: [
        .init(name: "origin", destination: "Airport", isOptional: false),
        .init(name: "destination", destination: "Airport", isOptional: false),
        .init(name: "aircraft", destination: "Aircraft", inverse: "entries"),
        .init(name: "pilot", destination: "Pilot", inverse: "entries"),
      ]),
    .init(name: "Airport", attributes: [.init(name: "icaoIdentifier", type: .string)]),
    .init(
      name: "Aircraft",
      attributes: [
        .init(name: "tailNumber", type: .string), .init(name: "type", type: .string),
      ],
      relationships: [
        .init(name: "entries", destination: "LogEntry", inverse: "aircraft", isToMany: true)
      ]),
    .init(
      name: "Pilot", attributes: [.init(name: "name", type: .string)],
      relationships: [
        .init(name: "entries", destination: "LogEntry", inverse: "pilot", isToMany: true)
      ]),
  ])

  static func fill(_ context: ModelContext) throws {
    let rows: [(String, String, String, String, String?)] = [
      ("KSFO", "KSJC", "N628TS", "C172", "Ann"), ("KSJC", "KSFO", "N628TS", "C172", "Bob"),
      ("KSFO", "EDDF", "D-EABC", "B744", nil),
    ]
    for row in rows {
      let entry = try context.insert("LogEntry")
      try entry.setValue("origin", .string(row.0))
      try entry.setValue("destination", .string(row.1))
      try entry.setValue("tailNumber", .string(row.2))
      try entry.setValue("type", .string(row.3))
      if let pilot = row.4 { try entry.setValue("pilot", .string(pilot)) }
      try entry.setValue("hours", .double(1.5))
    }
  }

  static func normalise(_ context: ModelContext, _ scratch: MigrationScratch) throws {
    var known: [String: ManagedObject] = [:]
    func object(_ entity: String, _ name: String, _ value: FieldValue) throws -> ManagedObject {
      let key = "\(entity) \(value.shown)"
      if let found = known[key] { return found }
      let new = try context.insert(entity)
      try new.setValue(name, value)
      known[key] = new
      return new
    }
    let names = ["origin", "destination", "tailNumber", "type", "pilot"]
    try scratch.forEach("LogEntry", names) { identity, values in
      guard let entry = context.object(identity) else { return }
      try entry.setRelated("origin", try object("Airport", "icaoIdentifier", values[0]))
      try entry.setRelated("destination", try object("Airport", "icaoIdentifier", values[1]))
      let aircraft = try object("Aircraft", "tailNumber", values[2])
      try aircraft.setValue("type", values[3])
      try entry.setRelated("aircraft", aircraft)
      if values[4] != .null {
        try entry.setRelated("pilot", try object("Pilot", "name", values[4]))
      }
    }
  }

  static let expected = [
    "Aircraft 1: entries=[1, 2] tailNumber=\"N628TS\" type=\"C172\"",
    "Aircraft 2: entries=[3] tailNumber=\"D-EABC\" type=\"B744\"",
    "Airport 1: icaoIdentifier=\"KSFO\"", "Airport 2: icaoIdentifier=\"KSJC\"",
    "Airport 3: icaoIdentifier=\"EDDF\"",
    "LogEntry 1: aircraft=[1] destination=[2] hours=1.5 origin=[1] pilot=[1]",
    "LogEntry 2: aircraft=[1] destination=[1] hours=1.5 origin=[2] pilot=[2]",
    "LogEntry 3: aircraft=[2] destination=[3] hours=1.5 origin=[1] pilot=[]",
    "Pilot 1: entries=[1] name=\"Ann\"", "Pilot 2: entries=[2] name=\"Bob\"",
  ]
}

extension Store.Options {
  static func staged(_ stages: MigrationStages) -> Store.Options {
    var options = Store.Options()
    options.migration = .staged(stages)
    return options
  }
}

@Suite struct StagedMigrationTests {
  @Test func `trips with the same name are merged before names become unique`() throws {
    let bench = try MigrationBench()
    try bench.fill(SampleTrips.first, SampleTrips.fill)
    let options = try Store.Options.staged(SampleTrips.stages())
    #expect(try bench.contents(SampleTrips.third, options) == SampleTrips.expected)
    let shapes = try bench.shapes(SampleTrips.third)
    #expect(shapes.found == shapes.expected)
    #expect(
      try bench.rows("SELECT number, stage, transaction_number FROM contrail_migration") == [
        "1 \"unique names\" null", "2 \"lightweight\" null",
      ])
    #expect(
      try bench.rows(
        """
        SELECT t.number, n.text, t.change_count FROM contrail_transaction AS t \
        LEFT JOIN contrail_name AS n ON n.number = t.author ORDER BY 1
        """) == ["1 null 5", "2 \"contrail.migration\" 2"])
  }

  @Test func `without the stage the duplicates are counted, and nothing is changed`() throws {
    let bench = try MigrationBench()
    try bench.fill(SampleTrips.first, SampleTrips.fill)
    let before = try bench.contents(SampleTrips.first)
    let error = try #require(throws: StoreError.self) { try bench.open(SampleTrips.second) }
    #expect(
      error.failures.map(\.description) == [
        "Trip (name): must be unique, and 1 value is there more than once, such as 'Rome' "
          + "[migrationFailed]; merge or delete the duplicates in a custom stage, before the change"
      ])
    #expect(error.code == .migrationNeeded)
    #expect(try bench.contents(SampleTrips.first) == before)
  }

  @Test func `texts become airports, aircraft and pilots, and nothing is lost`() throws {
    let bench = try MigrationBench()
    try bench.fill(FlightLogVersions.first, FlightLogVersions.fill)
    let stages = try MigrationStages(
      versions: [FlightLogVersions.first, FlightLogVersions.second],
      stages: [
        .custom(
          from: FlightLogVersions.first, to: FlightLogVersions.second,
          didMigrate: FlightLogVersions.normalise)
      ])
    #expect(
      try bench.contents(FlightLogVersions.second, .staged(stages)) == FlightLogVersions.expected)
    let shapes = try bench.shapes(FlightLogVersions.second)
    #expect(shapes.found == shapes.expected)
  }

  @Test func `a stage that leaves what the schema refuses is undone, and can be mended`() throws {
    let bench = try MigrationBench()
    try bench.fill(FlightLogVersions.first, FlightLogVersions.fill)
    func stages(
      _ didMigrate: @escaping @Sendable (ModelContext, MigrationScratch) throws -> Void
    ) throws -> Store.Options {
      try .staged(
        MigrationStages(
          versions: [FlightLogVersions.first, FlightLogVersions.second],
          stages: [
            .custom(
              from: FlightLogVersions.first, to: FlightLogVersions.second, didMigrate: didMigrate)
          ]))
    }
    let error = try #require(throws: StoreError.self) {
      try bench.open(FlightLogVersions.second, stages { _, _ in })
    }
    #expect(
      error.failures.map { "\($0.subject): \($0.message)" } == [
        "LogEntry.destination: needs an object, and 3 objects have none",
        "LogEntry.origin: needs an object, and 3 objects have none",
      ])
    // In the middle of a stage only the plan opens it.
    let refusal = try #require(throws: StoreError.self) { try bench.open(FlightLogVersions.second) }
    #expect(refusal.code == .migrationNeeded)
    #expect(
      try bench.contents(FlightLogVersions.second, stages(FlightLogVersions.normalise))
        == FlightLogVersions.expected)
  }

  @Test func `files beside the store are read in over a bridge`() throws {
    func version(_ attributes: [Schema.Attribute]) -> Schema {
      Schema(entities: [Schema.Entity(name: "Flight", attributes: attributes)])
    }
    let file = Schema.Attribute(
      name: "flightData", type: .binaryData, isOptional: true, options: .externalStorage)
    let bridge = Schema.Attribute(name: "tmpStorage", type: .binaryData, isOptional: true)
    let inline = Schema.Attribute(
      name: "flightData", type: .binaryData, isOptional: true, renamingIdentifier: "tmpStorage")
    let versions = [version([file]), version([file, bridge]), version([inline])]
    let bench = try MigrationBench()
    try bench.fill(versions[0]) { _ = try $0.insert("Flight") }
    do {
      let connection = try Connection(.file(bench.path), mode: .readWrite)
      try connection.execute("UPDATE Flight SET flightData = 'file-1'")
    }
    let stages = try MigrationStages(
      versions: versions,
      stages: [
        .custom(
          from: versions[0], to: versions[1],
          didMigrate: { context, _ in
            for flight in try context.all("Flight") {
              try flight.setValue("tmpStorage", .data([1, 2, 3]))
            }
          })
      ])
    #expect(
      try bench.contents(versions[2], .staged(stages)) == ["Flight 1: flightData=3 bytes"])
    #expect(try bench.rows("SELECT hex(flightData) FROM Flight") == ["\"010203\""])
  }

  @Test func `a stage says which of several objects is kept, and reads links to renamed entities`()
    throws
  {
    let first = Schema(entities: [
      .init(
        name: "Post", relationships: [.init(name: "tags", destination: "Tag", isToMany: true)]),
      .init(name: "Tag"),
    ])
    let second = Schema(entities: [
      .init(
        name: "Post",
        relationships: [.init(name: "label", destination: "Label", renamingIdentifier: "tags")]),
      .init(name: "Label", renamingIdentifier: "Tag"),
    ])
    let bench = try MigrationBench()
    try bench.fill(first) { context in
      let tags = [try context.insert("Tag"), try context.insert("Tag")]
      try context.insert("Post").setRelated("tags", tags)
      try context.insert("Post").setRelated("tags", [tags[0]])
    }
    #expect(throws: StoreError.self) { try bench.open(second) }
    let stages = try MigrationStages(
      versions: [first, second],
      stages: [
        .custom(
          from: first, to: second,
          didMigrate: { context, scratch in
            // The last of each post wins.
            try scratch.forEachLink("Post", "tags") { post, label in
              try context.object(post)?.setRelated("label", context.object(label))
            }
          })
      ])
    #expect(
      try bench.contents(second, .staged(stages)) == [
        "Label 1: ", "Label 2: ", "Post 1: label=[2]", "Post 2: label=[1]",
      ])
    let shapes = try bench.shapes(second)
    #expect(shapes.found == shapes.expected)
  }

  @Test func `a store that is newer than what is asked for is refused, and so is an unknown one`()
    throws
  {
    let bench = try MigrationBench()
    try bench.fill(SampleTrips.third) { _ in }
    let stages = try SampleTrips.stages()
    let newer = try #require(throws: StoreError.self) {
      try bench.open(SampleTrips.second, .staged(stages))
    }
    #expect(newer.code == .backwardMigration)
    let other = try MigrationBench()
    try other.fill(FlightLogVersions.first, FlightLogVersions.fill)
    let unknown = try #require(throws: StoreError.self) {
      try other.open(SampleTrips.third, .staged(stages))
    }
    #expect(unknown.code == .unknownSchema)
  }

  @Test func `versions that no hash tells apart make no plan`() throws {
    let error = try #require(throws: StoreError.self) {
      try MigrationStages(versions: [SampleTrips.first, SampleTrips.first])
    }
    #expect(error.message.contains("same hash"))
  }

  @Test func `versions that differ in uniqueness or in where data is kept alone make a plan`()
    throws
  {
    func version(isUnique: Bool, isExternal: Bool) -> Schema {
      let data = Schema.Attribute(
        name: "data", type: .binaryData, isOptional: true,
        options: isExternal ? .externalStorage : [])
      return Schema(entities: [
        .init(
          name: "Flight",
          attributes: [data, .init(name: "number", type: .integer64, isOptional: true)],
          uniquenessConstraints: isUnique ? [["number"]] : [])
      ])
    }
    let versions = [
      version(isUnique: false, isExternal: false), version(isUnique: true, isExternal: false),
      version(isUnique: true, isExternal: true),
    ]
    #expect(Set(versions.map(\.versionHash)).count == 1)
    #expect(try MigrationStages(versions: versions).versions == versions)
  }
}
