/// Reads the versions of a model from its files: a `.xcdatamodeld` package, one `.xcdatamodel`, or a
/// bare `contents` file.
struct XCPackage {
  private let tree: SchemaFileTree
  private let limits: XMLLimits
  private var notes: [SchemaNote] = []

  private static let versionSuffix = ".xcdatamodel"
  private static let packageSuffix = ".xcdatamodeld"
  private static let currentVersionFile = ".xccurrentversion"

  init(_ tree: SchemaFileTree, limits: XMLLimits) {
    self.tree = tree
    self.limits = limits
  }

  mutating func read() throws(SchemaFormatError) -> SchemaPackage {
    if let contents = tree.files[""] {
      return try single(contents, at: "", name: Self.modelName(ofContents: tree.path))
    }
    if let contents = tree.files["contents"] {
      let name = Self.withoutSuffix(Self.lastName(of: tree.path), Self.versionSuffix)
      return try single(contents, at: "contents", name: name)
    }
    return try versions()
  }

  private func single(
    _ contents: [UInt8], at path: String, name: String
  ) throws(SchemaFormatError) -> SchemaPackage {
    let document = try XCDataModel.document(
      contents: contents, file: tree.file(path), label: name, limits: limits)
    return SchemaPackage(name: name, versions: [document], currentIndex: 0)
  }

  private mutating func versions() throws(SchemaFormatError) -> SchemaPackage {
    let name = Self.withoutSuffix(Self.lastName(of: tree.path), Self.packageSuffix)
    let labels = tree.directories.filter { $0.hasSuffix(Self.versionSuffix) }
      .map { VersionLabel(Self.withoutSuffix($0, Self.versionSuffix)) }.sorted()
    guard let last = labels.last else {
      throw SchemaFormatError(
        at: tree.start(), expected: "a model: contents, or directories *.xcdatamodel",
        found: "neither")
    }
    let named = try currentVersion(among: labels)
    let current = named ?? last.text
    var documents: [SchemaDocument] = []
    for label in labels {
      let path = "\(label.text)\(Self.versionSuffix)/contents"
      if let contents = tree.files[path] {
        documents.append(
          try XCDataModel.document(
            contents: contents, file: tree.file(path), label: label.text, name: name,
            limits: limits))
      } else if label.text == current {
        throw SchemaFormatError(
          at: tree.start(of: label.text + Self.versionSuffix),
          expected: "the file contents in the current version", found: "none")
      } else {
        notes.append(
          SchemaNote(
            location: tree.start(of: label.text + Self.versionSuffix),
            message: "the version \(label.text) has no file contents and was passed over"))
      }
    }
    return SchemaPackage(
      name: name, versions: documents,
      currentIndex: documents.firstIndex { $0.label == current } ?? 0, notes: notes)
  }

  /// The label of the version that `.xccurrentversion` names; nil where it names none.
  private func currentVersion(among labels: [VersionLabel]) throws(SchemaFormatError) -> String? {
    guard let bytes = tree.files[Self.currentVersionFile],
      let current = try XCCurrentVersion.read(bytes, file: tree.file(Self.currentVersionFile))
    else { return nil }
    let label = Self.withoutSuffix(current.name, Self.versionSuffix)
    guard labels.contains(where: { $0.text == label }) else {
      let present = labels.map { $0.text + Self.versionSuffix }
      throw SchemaFormatError(
        at: current.location, expected: "one of the versions \(present.joined(separator: ", "))",
        found: XCValue.shown(current.name))
    }
    return label
  }
}

extension XCPackage {
  private static func withoutSuffix(_ name: String, _ suffix: String) -> String {
    name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
  }

  private static func lastName(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The name of the model whose `contents` file is at `path`: that of the directory around it.
  private static func modelName(ofContents path: String) -> String {
    let names = path.split(separator: "/")
    guard names.count >= 2, names.last == "contents" else { return lastName(of: path) }
    return withoutSuffix(String(names[names.count - 2]), versionSuffix)
  }
}
