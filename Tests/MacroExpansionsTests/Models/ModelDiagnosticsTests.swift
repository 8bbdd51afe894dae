import Testing

@testable import MacroExpansions

/// What is said about a model class as a whole.
@Suite struct ModelDiagnosticsTests {
  @Test(arguments: [
    ("struct", "a struct", ["fix: write 'final class' instead"]),
    ("actor", "an actor", ["fix: write 'final class' instead"]),
    ("enum", "an enumeration", []), ("protocol", "a protocol", []),
    ("extension", "an extension", []),
  ])
  func `anything but a class is an error at its keyword`(
    keyword: String, kind: String, fixes: [String]
  ) {
    let expansion = Expansion(ofModel: "@Model \(keyword) Trip {}")
    #expect(
      expansion.diagnostics
        == ["1:8: error: @Model can only be attached to a class, not to \(kind)"] + fixes)
    #expect(expansion.text == "\(keyword) Trip {}")
  }

  @Test func `a struct becomes a class by its fix`() {
    let expansion = Expansion(ofModel: "@Model struct Trip {\n}")
    #expect(expansion.fixed == "@Model final class Trip {\n}")
  }

  @Test func `a class without an initializer is an error at its name, and can be given one`() {
    let expansion = Expansion(
      ofModel: """
        @Model public final class Trip {
          var name: String
          @Transient var views = 0
          var count = 0
          var note: String?
          var date: Date
        }
        """)
    #expect(
      expansion.diagnostics == [
        "1:27: error: @Model requires an initializer be provided for 'Trip'",
        "fix: add an initializer",
      ])
    #expect(
      expansion.fixed == """
        @Model public final class Trip {
          var name: String
          @Transient var views = 0
          var count = 0
          var note: String?
          var date: Date

          public init(name: String, date: Date) {
            self.name = name
            self.date = date
          }
        }
        """)
  }

  @Test func `an initializer for a class that starts by itself is empty`() {
    #expect(
      Expansion(ofModel: "@Model final class Trip {\n  var count = 0\n}").fixed
        == "@Model final class Trip {\n  var count = 0\n\n  init() {}\n}")
  }

  @Test func `an initializer that forgets properties is an error that names them`() {
    let expansion = Expansion(
      ofModel: """
        @Model final class Trip {
          var name: String
          var date: Date
          var note: String?
          var maybe: Optional<Int>
          init() {
            note = nil
          }
          init(name: String) {
            self.name = name
          }
        }
        """)
    #expect(
      expansion.diagnostics == [
        "6:3: error: the initializer gives no value to 'date', 'name', which have no default",
        "9:3: error: the initializer gives no value to 'date', which has no default",
      ])
  }

  @Test(arguments: [
    "self.name = name", "name = \"a\"", "(self.name, self.note) = (\"a\", nil)",
    "self.init(other: 1)", "if cold { name = \"a\" } else { fatalError() }",
    "guard let other else { return nil }\n    self.name = other", "#setUp(self)",
    "_ = 3; self.name = other ?? \"a\"", "self.`name` = \"a\"",
    "print(1); throw Refused()", "fatalError(\"not yet\")",
  ])
  func `an initializer that sets everything, or lets others do it, is right`(statement: String) {
    let expansion = Expansion(
      ofModel: """
        @Model final class Trip {
          var name: String
          var note: String?
          init?(other: String?) {
            \(statement)
          }
        }
        """)
    #expect(expansion.diagnostics == [])
  }

  @Test func `only initializers that set properties themselves are asked for them`() {
    let expansion = Expansion(
      ofModel: """
        @Model final class Trip {
          var name: String
          init(name: String) {
            self.name = name
          }
          convenience init() {
            self.init(name: "")
          }
        }
        """)
    #expect(expansion.diagnostics == [])
  }

  @Test func `generic parameters are an error`() {
    #expect(
      Expansion(ofModel: "@Model final class Box<Value> {\n  init() {\n  }\n}").diagnostics == [
        "1:23: error: a model class cannot have generic parameters: a store knows it by its name alone"
      ])
  }

  @Test func `a class that says it is Sendable is told that it is not`() {
    let source = "@Model final class Trip: Codable, Sendable {\n  init() {\n  }\n}"
    let message =
      "models are not Sendable: use a ModelActor, or send Trip's persistentModelID instead"
    #expect(Expansion(ofModel: source).diagnostics == ["1:35: error: \(message)"])
    let before = Expansion(ofModel: source, build: .swift5)
    #expect(before.diagnostics == ["1:35: warning: \(message)"])
    #expect(before.text.contains("private nonisolated(unsafe) var _$model"))
  }

  @Test func `a class that is Sendable without checks answers for it itself`() {
    #expect(
      Expansion(ofModel: "@Model final class Trip: @unchecked Sendable {\n  init() {\n  }\n}")
        .diagnostics == [])
  }
}
