/// Record types while they are put together: who claimed which type and field, and who came second.
struct RecordDraft {
  private struct DraftType {
    var claimant: SchemaElement?
    var fields: [String: RecordSchema.Field] = [:]
    var claimants: [String: SchemaElement] = [:]
  }

  private var types: [String: DraftType] = [:]
  private(set) var collisions: [RecordMapping.Collision] = []
  private var reported: Set<RecordMapping.Collision> = []

  /// Takes a record type for `claimant`; false when another part has it, or the server.
  mutating func claim(type name: String, for claimant: SchemaElement) -> Bool {
    let element = SchemaElement.recordType(name)
    guard name != RecordSchema.usersType.name else {
      report(.reserved, element, [claimant])
      return false
    }
    if let holder = types[name]?.claimant {
      if holder != claimant { report(.claimedTwice, element, [holder, claimant]) }
      return holder == claimant
    }
    types[name] = DraftType(claimant: claimant)
    if let problem = MappedNames.problem(with: name) { report(problem, element, [claimant]) }
    return true
  }

  /// Adds a field that the mapping needs itself.
  mutating func reserve(_ field: RecordSchema.Field, in type: String) {
    types[type]?.fields[field.name] = field
  }

  /// Adds a record type that several parts share; it is traced to the one that needed it first.
  mutating func share(type name: String, for claimant: SchemaElement) {
    if types[name] == nil { types[name] = DraftType(claimant: claimant) }
  }

  /// Takes a field for `claimant`; another part that no object has beside it may have the same one.
  mutating func claim(
    _ field: RecordSchema.Field, in type: String, for claimant: SchemaElement
  ) {
    let element = SchemaElement.field(type: type, name: field.name)
    guard let present = types[type]?.fields[field.name] else {
      types[type]?.fields[field.name] = field
      types[type]?.claimants[field.name] = claimant
      if let problem = MappedNames.problem(with: field.name) {
        report(problem, element, [claimant])
      }
      return
    }
    guard let holder = types[type]?.claimants[field.name] else {
      return report(.reserved, element, [claimant])
    }
    if holder != claimant, present != field {
      report(.claimedTwice, element, [holder, claimant])
    }
  }

  mutating func report(
    _ kind: RecordMapping.Collision.Kind, _ element: SchemaElement, _ claimants: [SchemaElement]
  ) {
    let collision = RecordMapping.Collision(kind: kind, element: element, claimants: claimants)
    if reported.insert(collision).inserted { collisions.append(collision) }
  }

  var schema: RecordSchema {
    RecordSchema(
      types: [RecordSchema.usersType]
        + types.map { name, draft in
          RecordSchema.RecordType(
            name: name, fields: RecordSchema.systemFields + draft.fields.values,
            grants: RecordSchema.defaultGrants)
        })
  }

  var origins: [SchemaElement: SchemaElement] {
    var origins: [SchemaElement: SchemaElement] = [:]
    for (type, draft) in types {
      origins[.recordType(type)] = draft.claimant
      for (field, claimant) in draft.claimants {
        origins[.field(type: type, name: field)] = claimant
      }
    }
    return origins
  }
}
