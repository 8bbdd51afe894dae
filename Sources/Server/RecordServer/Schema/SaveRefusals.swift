import DataModel

/// The reasons why a field cannot be saved, in the protocol's words where it has some.
///
/// Clients read the texts: the sync engine learns from the one about production which field to hold
/// back.
struct SaveRefusals {
  private let field: SavedShape.Field
  private let name: String
  private let type: String
  private let subject: SchemaElement

  init(_ field: SavedShape.Field, type: String) {
    self.field = field
    name = field.name.shownName
    self.type = type.shownName
    subject = .field(type: self.type, name: name)
  }

  func unknownInProduction() -> SchemaRefusal {
    SchemaRefusal(
      .unknownField, subject,
      "Cannot create or modify field '\(name)' in record '\(type)' in production schema",
      fix: "save such a record in development, then promote the schema")
  }

  func mismatch(with shape: FieldShape) -> SchemaRefusal {
    if field.value.isEncrypted, !shape.isEncrypted { return notEncrypted() }
    return SchemaRefusal(
      .wrongType, subject,
      "invalid attempt to set value type \(field.value.wireName) for field '\(name)' for type "
        + "'\(type)', defined to be: \(shape.wireName)",
      fix: "send a value of the type \(shape.wireName), or use a field of another name")
  }

  func notEncrypted() -> SchemaRefusal {
    SchemaRefusal(
      .notEncrypted, subject,
      "Attempt to save encrypted data in non encrypted field type: field '\(name)' for type "
        + "'\(type)'",
      fix: "send the value as it is, or use a field of another name")
  }

  func encryptedInPublic() -> SchemaRefusal {
    SchemaRefusal(
      .encryptedInPublic, subject,
      "encrypted fields are not supported in the public database: field '\(name)' for type "
        + "'\(type)'",
      fix: "save the record in the private database, or leave the field out")
  }

  func systemField() -> SchemaRefusal {
    SchemaRefusal(
      .systemField, subject,
      "Cannot set system field '\(name)' in record '\(type)'",
      fix: "leave the field out: the server keeps it")
  }

  func badName(_ problem: String) -> SchemaRefusal { NewName.refusal(subject, problem) }
}
