import Testing

@testable import MacroExpansions

/// What is said about `@Attribute`, `@Relationship` and `@Transient`.
@Suite struct MarkerDiagnosticsTests {
  @Test(arguments: [
    Misuse(
      "@Transient var a: Int",
      "2:18: error: @Transient requires non-optional property 'a' to have a default value, "
        + "which objects that are read from the store begin with",
      fix: "add a default value", mended: "@Transient var a: Int = <#value#>"),
    Misuse(
      "@Transient @Attribute(.unique) var a = 1",
      "2:14: error: a property cannot be marked with both @Transient and @Attribute",
      fix: "remove '@Attribute(.unique)'", mended: "@Transient var a = 1"),
    Misuse(
      "@Attribute @Relationship var a: Item?",
      "2:3: error: a property cannot be marked with both @Relationship and @Attribute",
      fix: "remove '@Attribute'", mended: "@Relationship var a: Item?"),
    Misuse(
      "@Relationship @Transient var a: Item?",
      "2:3: error: a property cannot be marked with both @Transient and @Relationship",
      fix: "remove '@Relationship'", mended: "@Transient var a: Item?"),
  ])
  func `markers that contradict the rest`(misuse: Misuse) {
    misuse.check(as: Expansion.init(ofMarkers:))
  }

  @Test(arguments: [
    ("@Attribute(.unique) var a: [String] = []", "2:14"),
    ("@Attribute(.spotlight, .unique) var a: Set<Int>? = nil", "2:26"),
    ("@Relationship(.unique) var a: [Item] = []", "2:17"),
    ("@Attribute(Schema.Attribute.Option.unique) var a: [Int: Int] = [:]", "2:14"),
  ])
  func `a unique collection is an error at the option`(declaration: String, place: String) {
    Misuse(
      declaration,
      "\(place): error: 'unique' is for single values and for relationships to one object"
    ).check(as: Expansion.init(ofMarkers:))
  }

  @Test(arguments: [
    Misuse(
      "@Attribute(.codable, .transformable(by: Coder.self)) var a = 1",
      "2:24: error: an attribute is either 'codable' or 'transformable'"),
    Misuse(
      "@Attribute(originalName: \"\") var a = 1",
      "2:28: error: 'originalName' is the name that the property had before"),
    Misuse(
      "@Relationship(originalName: \"a\") var a: Item?",
      "2:31: warning: 'originalName' is what the property is called now, so it says nothing"),
    Misuse(
      "@Relationship(minimumModelCount: 3, maximumModelCount: 2) var a: [Item] = []",
      "2:36: error: the minimum of 3 is more than the maximum of 2"),
    Misuse(
      "@Relationship(maximumModelCount: -2) var a: [Item] = []",
      "2:36: error: a number of models cannot be negative"),
    Misuse(
      "@Relationship(deleteRule: .cascade) var a: [String]? = []",
      "2:46: error: a relationship leads to models, and 'String' is none; use @Attribute, or nothing",
      fix: "remove '@Relationship(deleteRule: .cascade)'", mended: "var a: [String]? = []"),
  ])
  func `arguments that cannot be meant`(misuse: Misuse) {
    misuse.check(as: Expansion.init(ofMarkers:))
  }

  @Test(arguments: [
    ("@Attribute(.encrypted) var a = \"\"", "2:14", ".encrypted"),
    ("@Attribute(.unique, .secret(2)) var a = 1", "2:23", ".secret(2)"),
    ("@Attribute(encrypted) var a = \"\"", "2:14", "encrypted"),
    ("@Attribute(Options.unique) var a = 1", "2:14", "Options.unique"),
    (
      "@Attribute(isSecret ? .codable : .unique) var a = 1", "2:14", "isSecret ? .codable : .unique"
    ),
  ])
  func `an option behind a name of one's own is an error`(
    declaration: String, place: String, option: String
  ) {
    Misuse(
      declaration,
      "\(place): error: write the option out: @Model goes by its name, and '\(option)' is none that "
        + "it knows"
    ).check(as: Expansion.init(ofMarkers:))
  }

  @Test(arguments: [
    "@Transient var a: Int?", "@Transient var a: Int!", "@Transient @Clamped var a: Int",
    "@Transient var a: Int { 1 }", "@Transient static var a = 1", "@Transient let a = 1",
    "@Attribute(.unique) var a: Int = 1", "@Relationship(.unique) var a: Item?",
    "@Relationship(minimumModelCount: 3, maximumModelCount: 0) var a: [Item] = []",
    "@Relationship(minimumModelCount: 1, maximumModelCount: 1_000) var a: [Item] = []",
    "@Relationship(minimumModelCount: least, maximumModelCount: 1) var a: [Item] = []",
    "@Relationship(inverse: \\Trip.a) var a: [Trip] = []",
    "@Attribute(originalName: \"b\") var a = 1",
    "@Attribute(.ephemeral, .externalStorage, hashModifier: \"2\") var a: Data?",
    "@Attribute(.allowsCloudEncryption, .preserveValueOnDeletion, .spotlight) var a = \"\"",
    "@Attribute(.merged(by: .counter)) var a = 1", "@Attribute(.codable) var a = 1",
    "@Attribute(Contrail.Schema.Attribute.Option.transformable(by: Coder.self)) var a = 1",
  ])
  func `what can be meant is right`(declaration: String) {
    Misuse(declaration).check(as: Expansion.init(ofMarkers:))
  }

  @Test(arguments: [
    ("class Truck: Vehicle {\n  @Attribute(.unique) var plate = \"\"\n}", "Attribute"),
    ("@MainActor final class Truck {\n  @Relationship var a: Item?\n}", "Relationship"),
    ("class Truck {\n  @Transient var a = 1\n}", "Transient"),
  ])
  func `a marker in a class that @Model is forgotten on says nothing, which is shown`(
    source: String, marker: String
  ) {
    let expansion = Expansion(ofMarkers: source)
    #expect(
      expansion.diagnostics == [
        "2:3: warning: @\(marker) says nothing in 'Truck', which is no @Model class; add @Model to it"
      ])
  }

  @Test(arguments: [
    "@Contrail.Model class Truck {\n  @Attribute(.unique) var plate = \"\"\n}",
    "#if DEBUG\n@Model\n#endif\nclass Truck {\n  @Attribute(.unique) var plate = \"\"\n}",
    "class Truck {\n  @Model class Load {\n    @Attribute(.unique) var code = \"\"\n  }\n}",
    "@Model class Truck {\n  #if DEBUG\n    @Attribute(.unique) var plate = \"\"\n  #endif\n}",
    "extension Fleet { @Model class Truck {\n  @Attribute(.unique) var plate = \"\"\n} }",
  ])
  func `a marker in a class that is a model, or may be one, says something`(source: String) {
    #expect(Expansion(ofMarkers: source).diagnostics == [])
  }

  @Test func `a marker in a class within a model says nothing, which is shown`() {
    let source = "@Model class Truck {\n  class Load {\n    @Attribute var code = \"\"\n  }\n}"
    #expect(
      Expansion(ofMarkers: source).diagnostics == [
        "3:5: warning: @Attribute says nothing in 'Load', which is no @Model class; add @Model to it"
      ])
  }

  @Test(arguments: [
    ("@Attribute(.unique) func a() {}", "Attribute", "func a() {}"),
    ("@Relationship init(a: Int) {}", "Relationship", "init(a: Int) {}"),
    ("@Transient typealias A = Int", "Transient", "typealias A = Int"),
    ("@Attribute var a: Int { 1 }", "Attribute", "var a: Int { 1 }"),
  ])
  func `a marker where there is nothing to mark says nothing, which is shown`(
    declaration: String, marker: String, mended: String
  ) {
    let written = declaration.contains("unique") ? "Attribute(.unique)" : marker
    Misuse(
      declaration,
      "2:3: warning: @\(marker) is for stored properties of @Model classes, and says nothing here",
      fix: "remove '@\(written)'", mended: mended
    ).check(as: Expansion.init(ofMarkers:))
  }
}
