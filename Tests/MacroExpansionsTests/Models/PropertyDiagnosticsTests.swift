import Testing

@testable import MacroExpansions

/// What is said about the declarations of properties, each in a class where nothing else is wrong.
@Suite struct PropertyDiagnosticsTests {
  @Test(arguments: [
    Misuse(
      "var a = 1, b = 2", "2:14: error: each property of a model needs a declaration of its own",
      fix: "declare each property by itself", mended: "var a = 1\n  var b = 2"),
    Misuse(
      "public var a, b: Int?",
      "2:17: error: each property of a model needs a declaration of its own",
      fix: "declare each property by itself", mended: "public var a: Int?\n  public var b: Int?"),
    Misuse(
      "var (a, b) = (1, 2)",
      "2:7: error: a property of a model cannot be a part of a tuple; declare each property by itself"
    ),
    Misuse(
      "lazy var a = 1",
      "2:3: error: 'a' cannot be lazy and kept in the store; mark it with @Transient",
      fix: "mark the property with @Transient", mended: "@Transient lazy var a = 1"),
    Misuse(
      "let a = 1",
      "2:3: error: 'a' is a constant, which cannot be read from a store; write 'var', or mark it "
        + "with @Transient", fix: "write 'var' instead", mended: "var a = 1"),
    Misuse(
      "weak var a: Trip?",
      "2:3: error: 'a' cannot be 'weak': a store knows relationships, which keep nothing alive",
      fix: "remove 'weak'", mended: "var a: Trip?"),
    Misuse(
      "private unowned var a: Trip?",
      "2:11: error: 'a' cannot be 'unowned': a store knows relationships, which keep nothing alive",
      fix: "remove 'unowned'", mended: "private var a: Trip?"),
    Misuse(
      "var a = 1 { didSet { print(a) } }",
      "2:15: warning: 'didSet' is not called for 'a', which the store keeps"),
    Misuse(
      "/// Clamped.\n  @Clamped(to: 1) var a = 1",
      "3:3: warning: if '@Clamped' is a property wrapper, 'a' cannot be kept in the store; "
        + "mark it with @Transient",
      fix: "mark the property with @Transient",
      mended: "/// Clamped.\n  @Transient @Clamped(to: 1) var a = 1"),
  ])
  func `a declaration that cannot be kept`(misuse: Misuse) { misuse.check() }

  @Test(arguments: [
    (
      "persistentModelID",
      "error: every model has a 'persistentModelID' already; give the property another name"
    ),
    (
      "modelContext",
      "error: every model has a 'modelContext' already; give the property another name"
    ),
    ("hashValue", "error: every model has a 'hashValue' already; give the property another name"),
    (
      "persistentBackingData",
      "error: every model has a 'persistentBackingData' already; give the property another name"
    ),
    ("isDeleted", "warning: the property hides the 'isDeleted' that every model has"),
    ("hasChanges", "warning: the property hides the 'hasChanges' that every model has"),
    (
      "description",
      "warning: SwiftData refuses a property with the name 'description', so the class is one for Linux only"
    ),
    (
      "hash",
      "warning: SwiftData refuses a property with the name 'hash', so the class is one for Linux only"
    ),
  ])
  func `a name that models have is shown at the name`(name: String, problem: String) {
    Misuse("var \(name) = 1", "2:7: \(problem)").check()
  }

  @Test(arguments: ["id", "access", "model", "`default`", "entity", "_$has"])
  func `other names are free`(name: String) { Misuse("var \(name) = 1").check() }

  @Test(arguments: [
    ("() -> Void", "a function"), ("(@Sendable () -> Void)?", "a function"),
    ("(Int, Int)", "a tuple"),
    ("[(name: String, age: Int)]", "a tuple"), ("Any", "of any type"),
    ("AnyObject?", "of any type"),
    ("[Any]", "of any type"), ("any Shape", "of any type that has a protocol"),
    ("some Shape", "of an opaque type"), ("Trip.Type", "a type"), ("Optional<Any>", "of any type"),
    ("[any Shape]?", "of any type that has a protocol"),
  ])
  func `a type that no store keeps is an error at the type`(type: String, kind: String) {
    Misuse(
      "var a: \(type) = start",
      "2:10: error: 'a' is \(kind), which a store cannot keep; mark it with @Transient",
      fix: "mark the property with @Transient", mended: "@Transient var a: \(type) = start"
    ).check()
  }

  @Test(arguments: [
    "var a: (Int) = 1", "var a: [String: [Int]] = [:]", "var a: Result<Int, Never>? = nil",
    "@Attribute(.transformable(by: Coder.self)) var a: Any? = nil", "var a: Foundation.URL?",
    "private(set) var a = 1", "@MainActor var a = 1", "@available(*, deprecated) var a = 1",
    "@objc var a = 1", "nonisolated(unsafe) var a = 1", "@UIActor var a = 1",
    "var a: Swift.Optional<Int>",
    "var a: Int { get async { 1 } }", "static let a = 1", "class var a: Int { 1 }",
  ])
  func `what can be kept, or needs no keeping, is right`(declaration: String) {
    Misuse(declaration).check()
  }
}

/// A declaration inside a model class, what is said about it, and the declaration that the fix makes.
struct Misuse: CustomTestStringConvertible {
  let declaration: String
  let problem: String?
  let fix: String?
  let mended: String?

  init(_ declaration: String, _ problem: String? = nil, fix: String? = nil, mended: String? = nil) {
    self.declaration = declaration
    self.problem = problem
    self.fix = fix
    self.mended = mended
  }

  var testDescription: String { declaration }

  func check(
    as expand: (String) -> Expansion = { Expansion(ofModel: $0) },
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let expansion = expand(source(declaration))
    let lines = [problem, fix.map { "fix: \($0)" }].compactMap { $0 }
    #expect(expansion.diagnostics == lines, sourceLocation: sourceLocation)
    #expect(expansion.fixed == source(mended ?? declaration), sourceLocation: sourceLocation)
  }

  private func source(_ declaration: String) -> String {
    "@Model final class Trip {\n  \(declaration)\n  init() {}\n}"
  }
}
