import DataModel

/// A `<configuration>`: a named subset of the entities.
enum XCConfiguration {
  /// Reads the configuration and records its place.
  static func read(
    _ element: XMLElement, in reading: inout XCReading
  ) throws(SchemaFormatError) -> Schema.Configuration {
    let name = try reading.required("name", of: element, "a configuration")
    var members = Members()
    let aspects = try reading.fill(&members, from: element, by: rule)
    reading.sources.record(.configuration(name), at: element.position, aspects: aspects)
    return Schema.Configuration(
      name: name, entities: members.names, isUsedWithCloudKit: members.isUsedWithCloudKit)
  }

  private struct Members {
    var names: [String] = []
    var isUsedWithCloudKit = false
  }

  private static let rule = XCRule<Members>(
    attributes: [
      "name": .text(.name) { _, _ in },
      "usedWithCloudKit": .flag(.isUsedWithCloudKit) { $0.isUsedWithCloudKit = $1 },
    ],
    children: [
      "memberEntity": .element(.memberEntities) {
        (part, element, reading) throws(SchemaFormatError) in
        part.names.append(
          try reading.required("name", of: element, "a member of a configuration"))
      }
    ])
}
