/// `.xccurrentversion`: a property list that names the current version's directory.
enum XCCurrentVersion {
  /// The directory's name and its place; nil where the file leaves it open.
  static func read(
    _ bytes: [UInt8], file: String
  ) throws(SchemaFormatError) -> (name: String, location: SourceLocation)? {
    let root = try XMLReader.root(of: bytes, file: file)
    func location(_ element: XMLElement) -> SourceLocation {
      SourceLocation(file: file, position: element.position)
    }
    guard root.name == "plist" else {
      throw SchemaFormatError(
        at: location(root), expected: "<plist>, as a property list begins",
        found: "<\(root.name)>")
    }
    guard let dictionary = root.children.first else { return nil }
    guard dictionary.name == "dict" else {
      throw SchemaFormatError(
        at: location(dictionary), expected: "<dict>", found: "<\(dictionary.name)>")
    }
    let entries = dictionary.children
    guard let key = entries.firstIndex(where: { $0.name == "key" && $0.text == versionKey }) else {
      return nil
    }
    guard key + 1 < entries.count, entries[key + 1].name == "string" else {
      throw SchemaFormatError(
        at: location(entries[key]), expected: "<string> after the key \(versionKey)",
        found: key + 1 < entries.count ? "<\(entries[key + 1].name)>" : "nothing")
    }
    let value = entries[key + 1]
    return value.text.isEmpty ? nil : (value.text, location(value))
  }

  private static let versionKey = "_XCCurrentVersionName"
}
