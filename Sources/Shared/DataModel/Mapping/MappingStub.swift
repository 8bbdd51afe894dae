public enum MappingProfile: String, Sendable, Hashable, CaseIterable { case native, coreData }

public struct RecordMapping: Sendable {
  public var schema: RecordSchema
  public var origins: [SchemaElement: SchemaElement]
}

extension Schema {
  public func mapped(_ profile: MappingProfile) -> RecordMapping {
    RecordMapping(schema: RecordSchema(), origins: [:])
  }
}
