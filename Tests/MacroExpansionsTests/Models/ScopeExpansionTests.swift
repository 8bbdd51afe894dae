import Testing

@testable import MacroExpansions

/// What stands around a class, and before and behind its name.
@Suite struct ScopeExpansionTests {
  @Test(arguments: [
    ("@Model public final class Trip { init() {} }", "public nonisolated static var _$plan"),
    ("@Model open class Trip { init() {} }", "open nonisolated class var _$plan"),
    ("@Model open class Trip { init() {} }", "open nonisolated func _$visit"),
    ("@Model open class Trip { init() {} }", "public nonisolated required init"),
    (
      "@Model open class Trip { init() {} }",
      "@inlinable public nonisolated static func _$rankCount"
    ),
    ("@Model package final class Trip { init() {} }", "package nonisolated static var _$plan"),
    ("@Model final class Trip { init() {} }", "nonisolated static var _$plan"),
    ("@Model private final class Trip { init() {} }", "nonisolated static var _$plan"),
    (
      "public extension Trips { @Model final class Trip { init() {} } }",
      "public nonisolated static var _$plan"
    ),
    (
      "public extension Trips { @Model internal final class Trip { init() {} } }",
      "nonisolated static var _$plan"
    ),
    (
      "public enum Trips { @Model final class Trip { init() {} } }", "nonisolated static var _$plan"
    ),
  ])
  func `witnesses are as visible as the class`(source: String, declaration: String) {
    let expansion = Expansion(ofModel: source)
    #expect(expansion.member(declaration).hasPrefix(declaration))
    #expect(expansion.diagnostics == [])
  }

  @Test
  func `a class inside a generic type has its plan looked up, for there is no place to keep it`() {
    let expansion = Expansion(
      ofModel: "struct Box<Value> {\n  @Model final class Trip {\n    init() {\n    }\n  }\n}")
    #expect(
      expansion.member("nonisolated static var _$plan") == """
        nonisolated static var _$plan: Contrail.ModelPlan {
          Contrail.ModelPlan.shared(Trip.self)
        }
        """)
    #expect(!expansion.text.contains("static let"))
  }

  @Test(arguments: [
    "Codable", "Identifiable, Hashable", "@unchecked Sendable", "Swift.Codable",
    "CustomStringConvertible",
  ])
  func `a class with protocols of the language is certainly a root`(inherited: String) {
    let expansion = Expansion(
      ofModel: "@Model final class Trip: \(inherited) {\n  var a = 1\n  init() {\n  }\n}")
    #expect(
      expansion.member("var a") == #"""
        var a {
          get {
            unsafe _$model.read(0, of: self, \.a)
          }
          set {
            unsafe _$model.write(0, newValue, of: self, \.a)
          }
        }
        """#)
  }

  @Test
  func `a root with a protocol that nobody knows takes part in initialization, like a subclass`() {
    let expansion = Expansion(
      ofModel: """
        @Model final class Trip: Named {
          var name: String
          var count = 1
          init(name: String) {
            self.name = name
          }
        }
        """)
    #expect(
      expansion.member("var name") == #"""
        var name: String {
          get {
            unsafe _$model.read(Trip._$firstRank + 1, of: self, \.name)
          }
          set {
            unsafe _$model.write(Trip._$firstRank + 1, newValue, of: self, \.name)
          }
          @storageRestrictions(accesses: _$model, initializes: _$has_name)
          init(initialValue) {
            unsafe _$model.initialize(Trip._$firstRank + 1, initialValue)
            _$has_name = Contrail._NoValue()
          }
        }
        """#)
    #expect(
      expansion.member("var count") == #"""
        var count {
          get {
            unsafe _$model.read(Trip._$firstRank + 0, of: self, \.count)
          }
          set {
            unsafe _$model.write(Trip._$firstRank + 0, newValue, of: self, \.count)
          }
          @storageRestrictions(accesses: _$model, initializes: _$started)
          init(initialValue) {
            unsafe _$model.initialize(Trip._$firstRank + 0, initialValue)
            _$started = Contrail._NoValue()
          }
        }
        """#)
    #expect(
      expansion.member("private nonisolated(unsafe) var _$has_name") == #"""
        private nonisolated(unsafe) var _$has_name: Contrail._NoValue
        """#)
    #expect(
      expansion.member("private nonisolated var _$start:") == #"""
        private nonisolated var _$start: Contrail._NoValue = Contrail._NoValue() {
          @storageRestrictions(initializes: _$started)
          init(initialValue) {
            _$started = initialValue
          }
          get {
            _$started
          }
        }
        """#)
    #expect(
      expansion.member("nonisolated required init") == #"""
        nonisolated required init(handle: consuming Contrail.ModelHandle) {
          _$has_name = Contrail._NoValue()
          unsafe _$model = Contrail.ModelStorage(handle)
        }
        """#)
    #expect(
      expansion.member("private nonisolated static var _$firstRank") == #"""
        private nonisolated static var _$firstRank: Int {
          0
        }
        """#)
  }

  @Test(arguments: ["@MainActor", "@Model @StoreActor"])
  func `in a class with an isolation what needs it stands apart`(attributes: String) {
    let marked = attributes.contains("@Model") ? attributes : "@Model \(attributes)"
    let expansion = Expansion(
      ofModel: "\(marked) final class Trip {\n  var made = Date.now\n  init(made: Date) {\n  }\n}")
    #expect(
      expansion.member("nonisolated static func _$setDefaults") == #"""
        nonisolated static func _$setDefaults(_ _$defaults: borrowing Contrail.ModelDefaults) {
          Contrail._unisolated(_$setOwnDefaults, as: Contrail.ModelDefaults._Function.self)(_$defaults)
        }
        """#)
    #expect(
      expansion.member("private static func _$setOwnDefaults") == #"""
        private static func _$setOwnDefaults(_ _$defaults: borrowing Contrail.ModelDefaults) {
          _$defaults.set(0, Date.now)
        }
        """#)
    #expect(
      expansion.member("nonisolated static var schemaMetadata") == #"""
        nonisolated static var schemaMetadata: [Contrail.Schema.PropertyMetadata] {
          Contrail._unisolated(_$ownMetadata, as: (() -> [Contrail.Schema.PropertyMetadata]).self)()
        }
        """#)
    #expect(expansion.member("private static func _$ownMetadata").hasPrefix("private static func"))
  }
}
