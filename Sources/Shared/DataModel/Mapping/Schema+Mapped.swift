extension Schema {
  /// The records that hold this schema's objects.
  public func mapped(_ profile: MappingProfile) -> RecordMapping {
    var mapper = RecordMapper(self, profile)
    // CloudKit mirrors the configurations that say so; entities of others have no records there.
    let mirrored = profile == .coreData ? mirroredEntityNames : Set(entities.map(\.name))
    let concrete = entities.filter { !$0.isAbstract && mirrored.contains($0.name) }
    // Entities come before the edges of relationships: of a name that both want, the edge is the
    // one that is reported.
    for entity in concrete { mapper.claimType(of: entity) }
    for entity in concrete { mapper.map(entity) }
    return mapper.mapping
  }
}
