import DataModel

/// A `<model>` while it is being read.
struct XCModel {
  private var schema: Schema
  // Kept apart from the schema, which would sort them anew with every one.
  private var entities: [Schema.Entity] = []
  private var composites: [Schema.Composite] = []
  private var configurations: [Schema.Configuration] = []
  private var fetchRequests: [Schema.FetchRequest] = []
  private var entityNames = XCNames()
  private var compositeNames = XCNames()
  private var configurationNames = XCNames()
  private var fetchRequestNames = XCNames()

  /// Reads the model and records the places of its parts.
  static func read(
    _ element: XMLElement, name: String, in reading: inout XCReading
  ) throws(SchemaFormatError) -> Schema {
    guard element.name == "model" else {
      throw reading.error(
        at: element.position, expected: "<model>, as a Core Data model begins",
        found: "<\(element.name)>")
    }
    var part = XCModel(schema: Schema(name: name))
    let aspects = try reading.fill(&part, from: element, by: rule)
    reading.sources.record(.schema, at: element.position, aspects: aspects)
    part.schema.entities = part.entities
    part.schema.composites = part.composites
    part.schema.configurations = part.configurations
    part.schema.fetchRequests = part.fetchRequests
    return part.schema
  }

  private init(schema: Schema) { self.schema = schema }
}

extension XCModel {
  mutating func addEntity(
    _ element: XMLElement, in reading: inout XCReading
  ) throws(SchemaFormatError) {
    let entity = try XCEntity.read(element, in: &reading)
    try entityNames.take(entity.name, of: element, "among the entities", in: reading)
    entities.append(entity)
  }

  mutating func addComposite(
    _ element: XMLElement, in reading: inout XCReading
  ) throws(SchemaFormatError) {
    let composite = try XCComposite.read(element, in: &reading)
    try compositeNames.take(composite.name, of: element, "among the composite types", in: reading)
    composites.append(composite)
  }

  mutating func addConfiguration(
    _ element: XMLElement, in reading: inout XCReading
  ) throws(SchemaFormatError) {
    let configuration = try XCConfiguration.read(element, in: &reading)
    try configurationNames.take(
      configuration.name, of: element, "among the configurations", in: reading)
    configurations.append(configuration)
  }

  mutating func addFetchRequest(
    _ element: XMLElement, in reading: inout XCReading
  ) throws(SchemaFormatError) {
    let (request, aspects) = try XCFetchRequest.read(element, "a fetch request", in: &reading)
    try fetchRequestNames.take(request.name, of: element, "among the fetch requests", in: reading)
    fetchRequests.append(request)
    reading.sources.record(.fetchRequest(request.name), at: element.position, aspects: aspects)
  }
}

extension XCModel {
  /// What `<model>` may say.
  private static let rule = XCRule<XCModel>(
    attributes: [
      "userDefinedModelVersionIdentifier": .text(.versionIdentifier) {
        $0.schema.versionIdentifier = $1
      },
      "usedWithCloudKit": .flag(.isUsedWithCloudKit) { $0.schema.isUsedWithCloudKit = $1 },
    ].merging(ofNoConsequence.map { ($0, .ofNoConsequence) }) { first, _ in first },
    children: [
      "entity": .element { (part, element, reading) throws(SchemaFormatError) in
        try part.addEntity(element, in: &reading)
      },
      "composite": .element { (part, element, reading) throws(SchemaFormatError) in
        try part.addComposite(element, in: &reading)
      },
      "compositeAttribute": .element { (part, element, reading) throws(SchemaFormatError) in
        try part.addComposite(element, in: &reading)
      },
      "configuration": .element { (part, element, reading) throws(SchemaFormatError) in
        try part.addConfiguration(element, in: &reading)
      },
      "fetchRequest": .element { (part, element, reading) throws(SchemaFormatError) in
        try part.addFetchRequest(element, in: &reading)
      },
      // Where the editor draws the entities.
      "elements": .ofNoConsequence,
    ])

  /// What only the editor reads.
  private static let ofNoConsequence = [
    "type", "documentVersion", "name", "lastSavedToolsVersion", "systemVersion",
    "minimumToolsVersion", "sourceLanguage", "usedWithSwiftData", "macOSVersion", "iOSVersion",
    "tvOSVersion", "watchOSVersion", "visionOSVersion",
  ]
}
