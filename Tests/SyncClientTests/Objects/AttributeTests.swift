import DataModel
import Foundation
import ObjectStore
import RecordWire
import SQLiteDriver
import SchemaGenerator
import SyncCore
import Testing

@testable import SyncClient

@Suite struct AttributeTests {
  @Test(arguments: Setting.all)
  func `values of every type come back as they were imported`(_ setting: Setting) throws {
    let world = try World(AllTypes.schema, setting.profile, setting.place)
    let isNative = setting.profile == .native
    var fields = RecordFields()
    for suffix in ["Maybe", "Must"] {
      let values: [(String, RecordValue)] = [
        ("integer16", .int64(-32768)), ("integer32", .int64(2_147_483_647)),
        ("integer64", .int64(.min)),
        ("decimal", isNative ? .string("-12345678901234567890.5") : .double(-0.1)),
        ("double", .double(.leastNonzeroMagnitude)), ("float", .double(0.5)),
        ("string", .string("e\u{301} \u{0} 🛫")), ("boolean", .int64(1)),
        ("date", .timestamp(-62_135_596_800_001)), ("binaryData", .bytes([0, 255, 7])),
        ("uuid", .string("0C0AEA6E-0000-4000-8000-00000000ABCD")),
        ("uri", .string("https://example.org/ä?q=1")), ("transformable", .bytes([1])),
      ]
      for (name, value) in values {
        fields[setting.field(name + suffix)] = RecordField(value)
      }
    }
    fields[setting.field("count")] = RecordField(.int64(-1))
    fields[setting.field("word")] = RecordField(.string(""))
    fields[setting.field("secret")] = RecordField(.string("s"), isEncrypted: true)
    if !isNative { fields["CD_entityName"] = RecordField(.string("Value")) }

    let object = try world.insert("Value", fields)

    #expect(object == ImportedObject(key: 1))
    let read = try world.fields(ObjectKey(entity: world.type("Value").number, key: 1))
    #expect(read == ObjectFields(version: 1, fields: fields))
  }

  @Test(arguments: Setting.all)
  func `a field that is absent is no value, a default, or a type's empty value`(
    _ setting: Setting
  ) throws {
    let world = try World(AllTypes.schema, setting.profile, setting.place)
    var expected: RecordFields = [:]
    let empty: [(String, RecordValue)] = [
      ("integer16Must", .int64(0)), ("integer32Must", .int64(0)), ("integer64Must", .int64(0)),
      ("decimalMust", setting.profile == .native ? .string("0") : .double(0)),
      ("doubleMust", .double(0)), ("floatMust", .double(0)), ("stringMust", .string("")),
      ("booleanMust", .int64(0)), ("dateMust", .timestamp(978_307_200_000)),
      ("binaryDataMust", .bytes([])),
      ("uuidMust", .string("00000000-0000-0000-0000-000000000000")), ("uriMust", .string("")),
      ("transformableMust", .bytes([])), ("count", .int64(7)), ("word", .string("none")),
    ]
    for (name, value) in empty { expected[setting.field(name)] = RecordField(value) }
    if setting.profile == .coreData { expected["CD_entityName"] = RecordField(.string("Value")) }

    try world.insert("Value", [:])

    #expect(try world.fields("Value", 1) == expected)
    let type = try world.type("Value")
    for place in type.places where place.slot >= 0 {
      let seen = try world.fields("Value", 1)?[place.name]?.value ?? .null
      #expect(type.asStored(.null, in: place.name) == seen, "\(place.name)")
      #expect(type.isSame(object: seen, record: nil, in: place.name), "\(place.name)")
    }
    #expect(try world.update("Value", 1, clearing(type))?.isChanged == false)
    // The store itself has them, so that a save of something else is not refused.
    let context = ModelContext(world.store)
    let object = try needed(context.fetch(FetchRequest("Value")).first, "the object")
    let missing = try type.layout.schema.attributes.filter { attribute in
      if case .null = try object.value(attribute.name) { !attribute.isOptional } else { false }
    }
    #expect(missing.map(\.name) == [])
    try object.setValue("secret", .string("mine"))
    try context.save()
  }

  @Test func `what a program left out of a required column is read as an import would leave it`()
    throws
  {
    let world = try World(AllTypes.schema, .native)
    try world.insert("Value", ["count": .int64(3), "stringMust": .string("x")])
    try world.write { transaction in
      try transaction.connection.execute("UPDATE Value SET count = NULL, stringMust = NULL")
    }
    let read = try world.fields("Value", 1)
    #expect(read?["count"]?.value == .int64(7))
    #expect(read?["stringMust"]?.value == .string(""))
  }

  private func clearing(_ type: ObjectType) -> RecordFields {
    RecordFields(type.places.map { ($0.name, RecordField(.null)) })
  }

  @Test(arguments: Setting.all, [1, 2, 3] as [UInt64])
  func `what reading gives is what asStored says, for any values from the wire`(
    _ setting: Setting, _ seed: UInt64
  ) throws {
    let world = try World(AllTypes.schema, setting.profile, setting.place)
    let type = try world.type("Value")
    var generator = SeededGenerator(seed: seed)
    for round in 0..<60 {
      var fields = RecordFields()
      for place in type.places where place.slot >= 0 {
        fields[place.name] = RecordField(WireValues.random(place.type, using: &generator))
      }
      let object = try world.insert("Value", fields)
      let read = try needed(world.fields("Value", object.key), "the object")
      var unfit: [String] = []
      for place in type.places where place.slot >= 0 {
        let sent = fields[place.name]?.value ?? .null
        let seen = read[place.name]?.value ?? .null
        let stored = type.asStored(sent, in: place.name)
        if stored == nil { unfit.append(place.name) }
        let expected = stored ?? place.whenEmpty
        #expect(
          seen.isSame(as: expected), "seed \(seed), round \(round), \(place.name): \(sent)")
        let again = type.asStored(seen, in: place.name)
        #expect(again?.isSame(as: seen) == true, "\(place.name): \(seen) is not stable")
      }
      #expect(object.unfit.map(\.field) == unfit)
      // What was imported is there already.
      let update = try world.update("Value", object.key, fields)
      #expect(update?.isChanged == false)
      #expect(update?.unfit.map(\.field) == unfit)
    }
  }

  @Test(arguments: MappingProfile.allCases, [4, 5, 6] as [UInt64])
  func `what programs store reaches another device and is the same there`(
    _ profile: MappingProfile, _ seed: UInt64
  ) throws {
    let (here, there) = try (
      World(AllTypes.schema, profile), World(AllTypes.schema, profile, .file)
    )
    let type = try here.type("Value")
    var generator = SeededGenerator(seed: seed)
    let context = ModelContext(here.store)
    for _ in 0..<80 {
      let object = try context.insert("Value")
      for attribute in type.layout.schema.attributes {
        let value = FieldValue.random(like: attribute.type.valueKind, using: &generator)
        try? object.setValue(attribute.name, value)
        // What a save would refuse is not what this is about.
        if case .null = try object.value(attribute.name), !attribute.isOptional {
          try object.setValue(attribute.name, WireValues.some(attribute.type))
        }
        if attribute.type == .integer16 || attribute.type == .integer32 || attribute.name == "count"
        {
          try object.setValue(attribute.name, .integer(Int64(generator.below(1000))))
        }
      }
      try context.save()
      let key = try needed(object.identity?.key, "a key")
      let read = try needed(here.fields(ObjectKey(entity: type.number, key: key)), "the object")
      let copy = try there.insert("Value", read.fields)
      let seen = try needed(there.fields("Value", copy.key), "the copy")
      let unsent = Set(read.unrepresentable.map(\.field))
      #expect(copy.unfit == [], "seed \(seed)")
      for place in type.places {
        let sent = read.fields[place.name]?.value ?? .null
        #expect(
          type.isSame(object: seen[place.name]?.value, record: sent, in: place.name),
          "seed \(seed), \(place.name)")
        if unsent.contains(place.name) { continue }
        #expect(seen[place.name]?.value == read.fields[place.name]?.value, "\(place.name)")
        #expect(
          type.asStored(sent, in: place.name)?.isSame(as: sent) == true,
          "seed \(seed), \(place.name): \(sent)")
      }
    }
  }

  @Test func `numbers that JSON has not are named, not sent as nothing`() throws {
    let world = try World(AllTypes.schema, .native, .file)
    let context = ModelContext(world.store)
    let object = try context.insert("Value")
    try object.setValue("doubleMaybe", .double(.nan))
    try object.setValue("doubleMust", .double(.infinity))
    try object.setValue("floatMaybe", .double(1e300))
    try object.setValue("dateMaybe", .date(Date(timeIntervalSinceReferenceDate: .nan)))
    try object.setValue("dateMust", .date(Date(timeIntervalSinceReferenceDate: 1e17)))
    try object.setValue("decimalMaybe", .decimal(.nan))
    for type in AllTypes.types where type != .double && type != .date {
      try object.setValue("\(type.rawValue)Must", WireValues.some(type))
    }
    try context.save()

    let read = try world.fields(ObjectKey(entity: world.type("Value").number, key: 1))

    #expect(
      read?.unrepresentable.map(\.description) == [
        "Value.dateMaybe: is a time beyond 64 bits of milliseconds, so dateMaybe is not sent",
        "Value.dateMust: is a time beyond 64 bits of milliseconds, so dateMust is not sent",
        "Value.decimalMaybe: is no decimal number, so decimalMaybe is not sent",
        "Value.doubleMaybe: is not a finite number, so doubleMaybe is not sent",
        "Value.doubleMust: is not a finite number, so doubleMust is not sent",
        "Value.floatMaybe: is not a finite number, so floatMaybe is not sent",
      ])
    #expect(read?.fields["doubleMaybe"] == nil)
  }

  @Test func `a time keeps its microseconds when its milliseconds arrive again`() throws {
    let world = try World(AllTypes.schema, .native, .file)
    let context = ModelContext(world.store)
    let object = try context.insert("Value")
    try object.setValue("dateMaybe", .date(Date(timeIntervalSinceReferenceDate: 0.000_4)))
    for type in AllTypes.types {
      try object.setValue("\(type.rawValue)Must", WireValues.some(type))
    }
    try context.save()
    let before = try world.history()

    let update = try world.update("Value", 1, ["dateMaybe": .timestamp(978_307_200_000)])

    #expect(update?.isChanged == false)
    #expect(try world.history() == before)
    #expect(
      try object.value("dateMaybe") == .date(Date(timeIntervalSinceReferenceDate: 0.000_4)))
  }
}

/// Values of the wire's types.
enum WireValues {
  /// A value of a type, now and then of another, or none.
  static func random(
    _ type: RecordSchema.FieldType, using generator: inout SeededGenerator
  ) -> RecordValue {
    if generator.oneIn(12) { return .null }
    let kind =
      generator.oneIn(12) ? generator.pick(RecordSchema.FieldType.allCases, or: type) : type
    return value(kind, using: &generator)
  }

  private static func value(
    _ type: RecordSchema.FieldType, using generator: inout SeededGenerator
  ) -> RecordValue {
    switch type {
    case .int64, .number: .int64(integer(&generator))
    case .timestamp:
      .timestamp(
        generator.oneIn(2)
          ? integer(&generator) : Int64(generator.below(4_000_000_000_000)) - 1_000_000_000_000)
    case .double: .double(double(&generator))
    case .string: .string(text(&generator))
    case .bytes: .bytes((0..<generator.below(9)).map { _ in UInt8(generator.below(256)) })
    case .reference: .reference(RecordReference(recordName: "R"))
    case .location: .location(RecordLocation(latitude: 1, longitude: 2))
    case .asset: .list([.int64(1)], of: .int64)
    }
  }

  private static func integer(_ generator: inout SeededGenerator) -> Int64 {
    generator.oneIn(2)
      ? generator.pick([0, 1, -1, .max, .min, 32767, -32769, 2_147_483_648], or: 0)
      : Int64(truncatingIfNeeded: generator.next()) >> Int64(generator.below(63))
  }

  private static func double(_ generator: inout SeededGenerator) -> Double {
    let edges: [Double] = [0, -0.0, 0.1, 1e300, -1e-300, 1e38, 4e38, 1e-130, 123_456_789.125]
    if generator.oneIn(2) { return generator.pick(edges, or: 0) }
    let any = Double(bitPattern: generator.next())
    return any.isFinite ? any : 1
  }

  private static func text(_ generator: inout SeededGenerator) -> String {
    switch generator.below(4) {
    case 0: RandomNames.text(&generator)
    case 1:
      generator.pick(
        [
          "1.50", "-0", "+7", "007", ".5", "5.", "1e3", "1E-3", "12abc", "NaN", " 1", "-0.0",
          "0.1000", "1e200", String(repeating: "9", count: 50),
          "0." + String(repeating: "1", count: 60),
        ], or: "")
    case 2:
      generator.pick(
        ["0c0aea6e-0000-4000-8000-00000000abcd", "0C0AEA6E-0000-4000-8000-00000000ABCD", "{}"],
        or: "")
    default: "\(Int64(truncatingIfNeeded: generator.next())).\(generator.below(100_000))"
    }
  }

  /// Some value of an attribute's type.
  static func some(_ type: Schema.AttributeType) -> FieldValue {
    switch type.valueKind {
    case .integer: .integer(3)
    case .boolean: .boolean(true)
    case .double: .double(2.5)
    case .decimal: .decimal(Decimal(3))
    case .date: .date(Date(timeIntervalSinceReferenceDate: 5))
    case .uuid: .uuid(UUID(version7At: Date(timeIntervalSince1970: 0), random: (1, 2)))
    case .uri: .uri("u:r")
    case .data: .data([1, 2])
    case .string: .string("text")
    default: .data([9])
    }
  }
}
