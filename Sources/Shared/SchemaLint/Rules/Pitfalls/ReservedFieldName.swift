import DataModel

extension Rule {
  /// The names are those of CKRecord's own properties.
  ///
  /// Apple publishes no list, and this is what makers of libraries found, as in
  /// https://github.com/pointfreeco/sqlite-data/pull/214.
  /// Fields that Core Data's mirroring makes are safe, as they begin with `CD_`.
  static let reservedFieldName = Rule(
    "reserved-field-name", .pitfall, [.cloudkit: .error, .contrail: .warning],
    summary: "No field has the name of something that every record has.",
    why: "CloudKit refuses to save a record with such a field, or hides it behind its own",
    fix: "rename the field, such as createdAt for creationDate",
    check: { pass in
      let written = writtenFields { field in
        reservedFieldNames.contains(field.name) ? (nil, "is a name that CloudKit reserves") : nil
      }
      guard pass.profile == .contrail, let schema = pass.subject.schema else {
        return written(pass)
      }
      return schema.entities.flatMap(\.properties).filter { reservedFieldNames.contains($0.name) }
        .map { Offence($0.element, .name, "\($0.element) is a name that CloudKit reserves") }
    })

  private static let reservedFieldNames: Set<String> = [
    "creationDate", "creatorUserRecordID", "etag", "lastModifiedUserRecordID", "modificationDate",
    "modifiedByDevice", "recordChangeTag", "recordID", "recordName", "recordType",
  ]
}
