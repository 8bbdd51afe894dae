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
    return SchemaDocument(
      file: file, label: label, content: .objects(schema), sources: reading.sources,
      notes: reading.notes)
  }
}
