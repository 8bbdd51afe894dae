import DataModel

extension Rule {
  /// The mirroring keeps a field and an asset twin for every such attribute, whatever the option.
  static let externalStorageChanged = Rule(
    "external-storage-changed", .additive, .error, in: [.contrail],
    summary: "Large values stay in the kind of field that they were promoted in.",
    why: "external values are assets and others are bytes, and production keeps a field's type",
    fix: "put the option back, and add another attribute for the other kind of storage",
    check: attributePairs { pair, versions in
      let before = PropertyAddress(entity: pair.oldEntity, name: pair.old.name)
      let types = versions.old.fieldTypes(of: .attribute(entity: before.entity, name: before.name))
      guard !pair.differs(\.type), pair.old.isExternal != pair.new.isExternal,
        types != versions.new.fieldTypes(of: pair.element)
      else { return nil }
      return (
        .externalStorage,
        pair.new.isExternal
          ? "was inline and is in external storage" : "was in external storage and is inline"
      )
    })
}

extension Schema.Attribute {
  fileprivate var isExternal: Bool { options.contains(.externalStorage) }
}
