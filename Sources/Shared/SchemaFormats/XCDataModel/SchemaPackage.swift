/// The versions of a schema, in order, and which of them is the current one.
package struct SchemaPackage: Sendable {
  /// What people call the schema: the package's name without its extension.
  package var name: String
  /// The versions, oldest first; never empty.
  package var versions: [SchemaDocument]
  /// The current version's place in `versions`.
  package var currentIndex: Int
  /// What of the package was passed over; a version has notes of its own besides.
  package var notes: [SchemaNote]

  package init(
    name: String, versions: [SchemaDocument], currentIndex: Int, notes: [SchemaNote] = []
  ) {
    self.name = name
    self.versions = versions
    self.currentIndex = currentIndex
    self.notes = notes
  }

  /// The current version.
  package var current: SchemaDocument? {
    versions.indices.contains(currentIndex) ? versions[currentIndex] : nil
  }
}
