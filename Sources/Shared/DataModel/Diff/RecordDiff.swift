/// Every difference between two versions of a record schema, each exactly once, in a fixed order.
///
/// Records know no renames: a field under another name is one removed and one added.
public func diff(_ old: RecordSchema, _ new: RecordSchema) -> [SchemaChange] {
  let (oldRoles, newRoles) = (Set(old.roles), Set(new.roles))
  var changes = new.roles.filter { !oldRoles.contains($0) }.map { SchemaChange(.role($0), .added) }
  changes += old.roles.filter { !newRoles.contains($0) }.map { SchemaChange(.role($0), .removed) }
  let types = Matching(byName: old.types, new.types)
  changes += types.added.map { SchemaChange(.recordType($0.name), .added) }
  changes += types.removed.map { SchemaChange(.recordType($0.name), .removed) }
  for pair in types.pairs {
    let name = pair.new.name
    changes += diff(pair.old.fields, pair.new.fields, RecordSchema.Field.aspects) {
      .field(type: name, name: $0)
    }
    changes += diff(pair.old.grants, pair.new.grants, RecordSchema.Grant.aspects) {
      .grant(type: name, role: $0)
    }
  }
  return changes
}

extension RecordSchema.RecordType: Named {}
extension RecordSchema.Field: Named {}
extension RecordSchema.Grant: Named {
  package var name: String { role }
}
