import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

/// A schema with every kind of property, and what a store of it holds.
enum KindSamples {
  static let schema = Schema(
    name: "Kinds",
    entities: [
      Schema.Entity(
        name: "Craft", isAbstract: true,
        attributes: [
          attribute("name", .string), attribute("preserved", .string, [.preservedOnDeletion]),
        ],
        relationships: [
          Schema.Relationship(
            name: "trips", destination: "Trip", inverse: "craft", isToMany: true,
            isOrdered: true, deleteRule: .cascade)
        ]),
      Schema.Entity(
        name: "Glider", parent: "Craft", attributes: [attribute("span", .double)]),
      Schema.Entity(
        name: "Plane", parent: "Craft",
        attributes: [attribute("power", .integer32), attribute("span_text", .string)]),
      Schema.Entity(
        name: "Trip",
        attributes: [
          attribute("whole16", .integer16), attribute("whole32", .integer32),
          attribute("whole64", .integer64), attribute("flag", .boolean),
          attribute("double", .double), attribute("float", .float), attribute("date", .date),
          attribute("text", .string), attribute("link", .uri), attribute("exact", .decimal),
          attribute("uuid", .uuid), attribute("bytes", .binaryData),
          attribute("transformed", .transformable),
        ],
        relationships: [
          Schema.Relationship(name: "craft", destination: "Craft", inverse: "trips"),
          Schema.Relationship(
            name: "tags", destination: "Tag", inverse: "trips", isToMany: true, isOrdered: true),
          Schema.Relationship(name: "next", destination: "Trip", inverse: "previous"),
          Schema.Relationship(name: "previous", destination: "Trip", inverse: "next"),
          Schema.Relationship(
            name: "near", destination: "Trip", inverse: "near", isToMany: true),
        ],
        indexes: [Schema.Index(name: "byDate", elements: [Schema.Index.Element("date")])]),
      Schema.Entity(
        name: "Tag", attributes: [attribute("word", .string)],
        relationships: [
          Schema.Relationship(name: "trips", destination: "Trip", inverse: "tags", isToMany: true)
        ], uniquenessConstraints: [["word"]]),
    ])

  private static func attribute(
    _ name: String, _ type: Schema.AttributeType, _ options: Schema.Attribute.Options = []
  ) -> Schema.Attribute {
    Schema.Attribute(name: name, type: type, isOptional: true, options: options)
  }

  /// Values of trips that some format might get wrong.
  static let values: [[String: FieldValue]] = [
    [:],
    [
      "whole16": .integer(-32768), "whole32": .integer(2_147_483_647),
      "whole64": .integer(.min), "flag": .boolean(true), "double": .double(.nan),
      "float": .double(Double(Float.greatestFiniteMagnitude)),
      "date": .date(Date(timeIntervalSinceReferenceDate: 735_912_000.1)),
      "text": .string(""), "link": .uri("https://example.org/?a=1&b=<2>"),
      "exact": .decimal(Decimal(string: "-12345678901234567890.123456789") ?? 0),
      "uuid": .uuid(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") ?? UUID()),
      "bytes": .data([]), "transformed": .data([0, 255, 128]),
    ],
    [
      "whole64": .integer(.max), "flag": .boolean(false), "double": .double(.infinity),
      "float": .double(-.infinity), "date": .date(Date(timeIntervalSinceReferenceDate: -1e-20)),
      "text": .string("a\0b\\u{0}\u{1}\u{FFFE}\u{FFFF}\r\n\t <&>\"']]> \u{2028}"),
      "bytes": .data(Array(0...255)),
    ],
    [
      "double": .double(-0.0), "float": .double(Double(Float.leastNonzeroMagnitude)),
      "date": .date(Date(timeIntervalSinceReferenceDate: -63_113_904_000)),
      "text": .string("  \n e\u{301} é 👩🏽‍✈️ \u{202E}abc \u{10FFFD}  "),
    ],
    [
      "double": .double(.leastNonzeroMagnitude), "float": .double(.nan),
      "date": .date(Date(timeIntervalSinceReferenceDate: .nan)), "text": .string("NaN"),
    ],
    [
      "double": .double(.greatestFiniteMagnitude),
      "date": .date(Date(timeIntervalSinceReferenceDate: .infinity)), "text": .string("\\"),
    ],
  ]

  /// Fills a store in several transactions: inserts, updates, deletions, all kinds of relationships.
  static func fill(_ store: Store) throws {
    let context = ModelContext(store)
    context.author = "filler"
    let glider = try context.insert("Glider")
    try glider.setValue("name", .string("ASK 21"))
    try glider.setValue("span", .double(17))
    let plane = try context.insert("Plane")
    try plane.setValue("name", .string("C 172"))
    try plane.setValue("power", .integer(160))
    var trips: [ManagedObject] = []
    for row in values {
      let trip = try context.insert("Trip")
      for (name, value) in row { try trip.setValue(name, value) }
      trips.append(trip)
    }
    try context.save()
    let tags = try ["night", "long", "first"].map { word in
      let tag = try context.insert("Tag")
      try tag.setValue("word", .string(word))
      return tag
    }
    try glider.setRelated("trips", [trips[3], trips[0], trips[2]])
    try plane.setRelated("trips", [trips[1]])
    try trips[0].setRelated("tags", [tags[2], tags[0], tags[1]])
    try trips[1].setRelated("tags", [tags[1]])
    try trips[0].setRelated("next", trips[1])
    try trips[0].addRelated("near", trips[4])
    try context.save()
    let gone = try context.insert("Plane")
    try gone.setValue("preserved", .string("kept \0 of it"))
    try context.save()
    try context.delete(gone)
    try plane.setValue("power", .integer(180))
    try context.save()
  }

  /// All that a store holds, in a form that tells every difference.
  static func whole(_ store: Store) throws -> StoreImage {
    try store.read { try StoreImage.read($0, subject: "test").image }
  }
}

/// A folder that is gone with the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "contrail-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  /// The names of what is in it.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

/// The code of the `StoreError` that `body` throws.
func storeErrorCode(_ body: () throws -> Void) -> StoreError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? StoreError)?.code
  }
}
