import SwiftIfConfig
import Testing

@testable import MacroExpansions

@Suite struct PropertyExpansionTests {
  @Test func `a property is read and written by its rank among the names sorted by bytes`() {
    let expansion = model("var b = 1", "var a: Int = 2", "var B: Int?")
    #expect(
      expansion.member("var a") == #"""
        var a: Int {
          get {
            unsafe _$model.read(1, of: self, \.a)
          }
          set {
            unsafe _$model.write(1, newValue, of: self, \.a)
          }
        }
        """#)
    #expect(
      expansion.member("get") == #"""
        get {
          unsafe _$model.read(2, of: self, \.b)
        }
        """#)
  }

  @Test func `defaults keep the type that the property has`() {
    #expect(
      model(
        "var kind: Kind = .car", "var date = Date.now", "var rate: Double = 1",
        "var code: Int! = -1",
        "var maybe: String? = nil", "var sum: Int = 1 + 2",
        "var way: Int = if cold { 1 } else { 2 }", "var zero: Data? = try? load()"
      ).member("nonisolated static func _$setDefaults") == #"""
        nonisolated static func _$setDefaults(_ _$defaults: borrowing Contrail.ModelDefaults) {
          _$defaults.set(0, -1 as Int?)
          _$defaults.set(1, Date.now)
          _$defaults.set(2, .car as Kind)
          _$defaults.set(3, nil as String?)
          _$defaults.set(4, 1 as Double)
          _$defaults.set(5, (1 + 2) as Int)
          _$defaults.set(6, {
              if cold {
                1
              } else {
                2
              }
            }() as Int)
          _$defaults.set(7, (try? load()) as Data?)
        }
        """#)
  }

  @Test func `the schema has the defaults that are the same for every object`() {
    #expect(
      model(
        "var kind: Kind = .car", "var date = Date.now", "var made: Date = .now", "var id = UUID()",
        "var name = \"a\"", "var tags: [String] = [\"x\"]", "var text = \"\\(3)\"", "var less = -2",
        "var maybe: String? = nil", "var other = Kind.bike"
      ).member("nonisolated static var schemaMetadata") == #"""
        nonisolated static var schemaMetadata: [Contrail.Schema.PropertyMetadata] {
          [
            Contrail.Schema.PropertyMetadata(
              name: "date", keypath: \Trip.date,
              defaultValue: nil,
              metadata: nil),
            Contrail.Schema.PropertyMetadata(
              name: "id", keypath: \Trip.id,
              defaultValue: nil,
              metadata: nil),
            Contrail.Schema.PropertyMetadata(
              name: "kind", keypath: \Trip.kind,
              defaultValue: .car as Kind,
              metadata: nil),
            Contrail.Schema.PropertyMetadata(
              name: "less", keypath: \Trip.less,
              defaultValue: -2,
              metadata: nil),
            Contrail.Schema.PropertyMetadata(
              name: "made", keypath: \Trip.made,
              defaultValue: nil,
              metadata: nil),
            Contrail.Schema.PropertyMetadata(
              name: "maybe", keypath: \Trip.maybe,
              defaultValue: nil,
              metadata: nil),
            Contrail.Schema.PropertyMetadata(
              name: "name", keypath: \Trip.name,
              defaultValue: "a",
              metadata: nil),
            Contrail.Schema.PropertyMetadata(
              name: "other", keypath: \Trip.other,
              defaultValue: Kind.bike,
              metadata: nil),
            Contrail.Schema.PropertyMetadata(
              name: "tags", keypath: \Trip.tags,
              defaultValue: ["x"] as [String],
              metadata: nil),
            Contrail.Schema.PropertyMetadata(
              name: "text", keypath: \Trip.text,
              defaultValue: nil,
              metadata: nil)
          ]
        }
        """#)
  }

  @Test func `markers become the metadata of their properties, in the user's words`() {
    #expect(
      model(
        "@Attribute(.unique, originalName: \"title\") var name: String = \"\"",
        "@Relationship(deleteRule: .cascade, inverse: \\Item.trip) var items: [Item] = []",
        "@Contrail.Attribute var seats: Int = 1",
        "#Unique<Trip>([\\.name], [\\.name, \\.seats])", "#Index<Trip>(.binary([\\.name]))"
      ).member("nonisolated static var schemaMetadata") == #"""
        nonisolated static var schemaMetadata: [Contrail.Schema.PropertyMetadata] {
          [
            Contrail.Schema.PropertyMetadata(
              name: "items", keypath: \Trip.items,
              defaultValue: [] as [Item],
              metadata: Contrail.Schema.Relationship(deleteRule: .cascade, inverse: \Item.trip)),
            Contrail.Schema.PropertyMetadata(
              name: "name", keypath: \Trip.name,
              defaultValue: "" as String,
              metadata: Contrail.Schema.Attribute(.unique, originalName: "title")),
            Contrail.Schema.PropertyMetadata(
              name: "seats", keypath: \Trip.seats,
              defaultValue: 1 as Int,
              metadata: Contrail.Schema.Attribute()),
            Contrail.Schema.PropertyMetadata(
              name: "Contrail.Schema.Unique", keypath: \Contrail.Schema.encodingVersion,
              defaultValue: nil,
              metadata: Contrail.Schema.Unique<Trip>([\.name], [\.name, \.seats])),
            Contrail.Schema.PropertyMetadata(
              name: "Contrail.Schema.Index", keypath: \Contrail.Schema.encodingVersion,
              defaultValue: nil,
              metadata: Contrail.Schema.Index<Trip>(.binary([\.name])))
          ]
        }
        """#)
  }

  @Test func `transformed and encoded values have accessors and defaults of their own`() {
    let expansion = model(
      "@Attribute(.transformable(by: Coder.self)) var color: Color? = nil",
      "@Attribute(.codable) var kind: Kind = .car")
    #expect(
      expansion.member("var color") == #"""
        var color: Color? {
          get {
            unsafe _$model.readTransformable(0, of: self, \.color, by: Coder.self)
          }
          set {
            unsafe _$model.writeTransformable(0, newValue, of: self, \.color, by: Coder.self)
          }
        }
        """#)
    #expect(
      expansion.member("var kind") == #"""
        var kind: Kind {
          get {
            unsafe _$model.readCodable(1, of: self, \.kind)
          }
          set {
            unsafe _$model.writeCodable(1, newValue, of: self, \.kind)
          }
        }
        """#)
    #expect(
      expansion.member("nonisolated static func _$setDefaults") == #"""
        nonisolated static func _$setDefaults(_ _$defaults: borrowing Contrail.ModelDefaults) {
          _$defaults.setTransformable(0, nil as Color?, by: Coder.self)
          _$defaults.setCodable(1, .car as Kind)
        }
        """#)
  }

  @Test func `a name in backticks stays in them, but for the store`() {
    let expansion = model("var `default`: Int = 1")
    #expect(
      expansion.member("var `default`") == #"""
        var `default`: Int {
          get {
            unsafe _$model.read(0, of: self, \.`default`)
          }
          set {
            unsafe _$model.write(0, newValue, of: self, \.`default`)
          }
        }
        """#)
    #expect(
      expansion.member("nonisolated static var schemaMetadata") == #"""
        nonisolated static var schemaMetadata: [Contrail.Schema.PropertyMetadata] {
          [
            Contrail.Schema.PropertyMetadata(
              name: "default", keypath: \Trip.`default`,
              defaultValue: 1 as Int,
              metadata: nil)
          ]
        }
        """#)
  }

  @Test func `what is computed, static, overridden or transient is left alone`() {
    let expansion = model(
      "var upper: String { name.uppercased() }", "static var all: [Trip] = []",
      "@Transient var views = 0", "@Transient let made = 3", "@Transient lazy var heavy = work()",
      "override var other: Int { get { 1 } set {} }", "@Transient var upperAgain: Int { 3 }")
    #expect(expansion.diagnostics == [])
    #expect(
      expansion.member("nonisolated static var schemaMetadata") == #"""
        nonisolated static var schemaMetadata: [Contrail.Schema.PropertyMetadata] {
          [
          ]
        }
        """#)
  }

  @Test func `constants are kept before Swift 6, as the compiler lets macros do it there`() {
    let expansion = Expansion(
      ofModel: """
        @Model final class Trip {
          let made = Date.now
          init() {
          }
        }
        """, build: .swift5)
    #expect(expansion.diagnostics == [])
    #expect(
      expansion.member("let made") == #"""
        let made {
          get {
            unsafe _$model.read(0, of: self, \.made)
          }
          set {
            unsafe _$model.write(0, newValue, of: self, \.made)
          }
        }
        """#)
  }

  @Test func `of conditional members those count that are compiled`() {
    let expansion = Expansion(
      ofModel: """
        @Model final class Trip {
          #if DEBUG
          var debugged = 1
          #else
          var released = 1
          #endif
          init() {
          }
        }
        """)
    #expect(
      expansion.member("nonisolated static var schemaMetadata") == #"""
        nonisolated static var schemaMetadata: [Contrail.Schema.PropertyMetadata] {
          [
            Contrail.Schema.PropertyMetadata(
              name: "debugged", keypath: \Trip.debugged,
              defaultValue: 1,
              metadata: nil)
          ]
        }
        """#)
  }

  /// Expands a class with `declarations`, which need no initializer to be set.
  private func model(_ declarations: String...) -> Expansion {
    Expansion(
      ofModel:
        "@Model final class Trip {\n  \(declarations.joined(separator: "\n  "))\n  init() {}\n}")
  }
}
