import DataModel

extension Rule {
  static let externalStorageMisplaced = Rule(
    "external-storage-misplaced", .pitfall, .warning,
    summary: "External storage is asked for bytes only.",
    why: "other values stay inside the record, whatever their size",
    fix: "clear external storage, or keep the value as binary data",
    check: attributes { site in
      guard site.attribute.options.contains(.externalStorage),
        site.attribute.type != .binaryData, site.attribute.type != .transformable
      else { return nil }
      return (
        .externalStorage, "asks for external storage and is of the type \(site.attribute.type)"
      )
    })
}
