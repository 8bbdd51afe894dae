import DataModel

/// The fields that the mirroring adds to every record type of an entity.
let coreDataFields = ["CD_entityName", "CD_moveReceipt", "CD_moveReceipt_ckAsset"]

/// The fields of a record type as a schema file spells them, without the system's and those named.
func fields(_ mapping: RecordMapping, _ type: String, beside known: [String] = []) -> String {
  let fields = mapping.schema.type(type)?.fields ?? []
  return fields.filter { !$0.isSystem && !known.contains($0.name) }.map(shown)
    .joined(separator: ", ")
}

private func shown(_ field: RecordSchema.Field) -> String {
  let indexes = RecordSchema.Indexes.named.filter { field.indexes.contains($0.index) }
  let type = (field.isEncrypted ? "ENCRYPTED " : "") + field.type.rawValue
  return ([field.name, type] + indexes.map(\.name)).joined(separator: " ")
}
