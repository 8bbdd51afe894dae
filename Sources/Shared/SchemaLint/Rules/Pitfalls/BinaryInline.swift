import DataModel

extension Rule {
  /// Core Data's mirroring moves what is too large to an asset by itself.
  static let binaryInline = Rule(
    "binary-inline", .pitfall, .note, in: [.contrail],
    summary: "Bytes without a limit are kept in external storage.",
    why: "they count against the limit of 1 MB for a record, and travel with every fetch of it",
    fix: "set external storage, or a maximum length if the bytes are few",
    check: attributes { site in
      guard site.attribute.type == .binaryData, site.attribute.validation.maximum == nil,
        !site.attribute.options.contains(.externalStorage)
      else { return nil }
      return (.externalStorage, "holds bytes of any length inside the record")
    })
}
