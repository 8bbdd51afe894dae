import DataModel

/// Reads Core Data's model files: the `contents` of one version, or a package of versions.
package enum XCDataModel {
  /// The schema that a `contents` file describes.
  ///
  /// `file` is what errors and findings call it, `label` names this version, and `name` the schema.
  package static func document(
    contents: [UInt8], file: String, label: String, name: String? = nil,
    limits: XMLLimits = XMLLimits()
  ) throws(SchemaFormatError) -> SchemaDocument {
    let root = try XMLReader.root(of: contents, file: file, limits: limits)
    var reading = XCReading(file: file)
    let schema = try XCModel.read(root, name: name ?? label, in: &reading)
    let document = SchemaDocument(
      file: file, label: label, content: .objects(schema), sources: reading.sources,
      notes: reading.notes)
    try document.refuseDeepInheritance()
    return document
  }
}

extension XCDataModel {
  /// The versions of a model, oldest first, from its files: a `.xcdatamodeld` package, one
  /// `.xcdatamodel`, or a bare `contents` file.
  ///
  /// Versions stand in the order of the numbers at the end of their names. The current one is that
  /// which `.xccurrentversion` names, else the last.
  package static func package(
    from tree: SchemaFileTree, limits: XMLLimits = XMLLimits()
  ) throws(SchemaFormatError) -> SchemaPackage {
    var package = XCPackage(tree, limits: limits)
    return try package.read()
  }
}
