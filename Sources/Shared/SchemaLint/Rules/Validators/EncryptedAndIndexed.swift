import DataModel

extension Rule {
  static let encryptedAndIndexed = Rule(
    "encrypted-and-indexed", .validator, .error,
    summary: "No encrypted field has an index.",
    why: "the server cannot read the value, and refuses a schema that wants it indexed",
    fix: "remove the index, or keep what queries need in a field that is not encrypted",
    check: writtenFields { field in
      guard field.isEncrypted, let index = field.indexNames.first else { return nil }
      return (.isEncrypted, "is ENCRYPTED and \(index)")
    })
}

extension RecordSchema.Field {
  /// The words of the field's indexes.
  var indexNames: [String] {
    RecordSchema.Indexes.named.filter { indexes.contains($0.index) }.map(\.name)
  }
}
