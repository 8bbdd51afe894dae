import Testing

@testable import MacroExpansions

@Suite struct ModelExpansionTests {
  @Test func `a class gets storage, a way to be read, its metadata and its defaults`() {
    let expansion = Expansion(
      ofModel: """
        @Model final class Trip {
          var name: String
          var count = 0
          init(name: String) {
            self.name = name
          }
        }
        """)
    #expect(expansion.diagnostics == [])
    #expect(
      expansion.text == #"""
        final class Trip {
          var name: String {
            get {
              unsafe _$model.read(1, of: self, \.name)
            }
            set {
              unsafe _$model.write(1, newValue, of: self, \.name)
            }
          }
          var count {
            get {
              unsafe _$model.read(0, of: self, \.count)
            }
            set {
              unsafe _$model.write(0, newValue, of: self, \.count)
            }
          }
          init(name: String) {
            self.name = name
          }

          @exclusivity(unchecked) private var _$model = Contrail.ModelStorage()

          nonisolated required init(handle: consuming Contrail.ModelHandle) {
            unsafe _$model = Contrail.ModelStorage(handle)
          }

          nonisolated static var schemaMetadata: [Contrail.Schema.PropertyMetadata] {
            [
              Contrail.Schema.PropertyMetadata(
                name: "count", keypath: \Trip.count,
                defaultValue: 0,
                metadata: nil),
              Contrail.Schema.PropertyMetadata(
                name: "name", keypath: \Trip.name,
                defaultValue: nil,
                metadata: nil)
            ]
          }

          nonisolated static var _$plan: Contrail.ModelPlan {
            _$ownPlan
          }

          private nonisolated static let _$ownPlan = Contrail.ModelPlan(Trip.self)

          nonisolated static func _$setDefaults(_ _$defaults: borrowing Contrail.ModelDefaults) {
            _$defaults.set(0, 0)
          }

          nonisolated func _$visit(_ visitor: inout Contrail.StorageVisitor) {
            unsafe visitor.visit(&_$model)
          }
        }

        extension Trip: nonisolated Contrail.PersistentModel {
        }

        extension Trip: nonisolated Hashable {
        }

        @available(*, unavailable, message: "models are not Sendable: use a ModelActor, or send Trip's persistentModelID instead")
        extension Trip: Sendable {
        }
        """#)
  }

  @Test(arguments: [
    "PersistentModel", "Contrail.PersistentModel", "Observable, PersistentModel",
    "Labelled, Contrail.PersistentModel", "PersistentModel & Labelled",
    "@MainActor PersistentModel",
  ])
  func `a class that says itself that it is a model is a root`(
    inherited: String
  ) {
    let source = "@Model final class Settings: \(inherited) {\n  var a = 1\n  init() {\n  }\n}"
    let expansion = Expansion(ofSubclass: source)
    #expect(expansion.diagnostics == [])
    #expect(!expansion.text.contains("override"))
    #expect(!expansion.text.contains("super."))
  }

  @Test func `a subclass adds its own ranks, metadata and storage to those of its superclass`() {
    let expansion = Expansion(
      ofSubclass: """
        @Model class City: Place {
          var people: Int
          var river: String = "none"
          init(people: Int) {
            self.people = people
            super.init()
          }
        }
        """)
    #expect(expansion.diagnostics == [])
    #expect(
      expansion.text == #"""
        class City: Place {

          var people: Int {
            get {
              unsafe _$model.read(City._$firstRank + 0, of: self, \.people)
            }
            set {
              unsafe _$model.write(City._$firstRank + 0, newValue, of: self, \.people)
            }
            @storageRestrictions(accesses: _$model, initializes: _$has_people)
            init(initialValue) {
              unsafe _$model.initialize(City._$firstRank + 0, initialValue)
              _$has_people = Contrail._NoValue()
            }
          }

          private nonisolated(unsafe) var _$has_people: Contrail._NoValue

          var river: String {
            get {
              unsafe _$model.read(City._$firstRank + 1, of: self, \.river)
            }
            set {
              unsafe _$model.write(City._$firstRank + 1, newValue, of: self, \.river)
            }
            @storageRestrictions(accesses: _$model, initializes: _$started)
            init(initialValue) {
              unsafe _$model.initialize(City._$firstRank + 1, initialValue)
              _$started = Contrail._NoValue()
            }
          }
          init(people: Int) {
            self.people = people
            super.init()
          }

          @exclusivity(unchecked) private nonisolated(unsafe) var _$model = Contrail.ModelStorage()

          private nonisolated(unsafe) var _$started: Contrail._NoValue

          private nonisolated var _$start: Contrail._NoValue = Contrail._NoValue() {
            @storageRestrictions(initializes: _$started)
            init(initialValue) {
              _$started = initialValue
            }
            get {
              _$started
            }
          }

          nonisolated required init(handle: consuming Contrail.ModelHandle) {
            _$has_people = Contrail._NoValue()
            unsafe _$model = Contrail.ModelStorage(handle)
            super.init(handle: handle)
          }

          nonisolated override class var schemaMetadata: [Contrail.Schema.PropertyMetadata] {
            Contrail._unisolated(_$ownMetadata, as: (() -> [Contrail.Schema.PropertyMetadata]).self)()
          }

          private static func _$ownMetadata() -> [Contrail.Schema.PropertyMetadata] {
            [
              Contrail.Schema.PropertyMetadata(
                name: "people", keypath: \City.people,
                defaultValue: nil,
                metadata: nil),
              Contrail.Schema.PropertyMetadata(
                name: "river", keypath: \City.river,
                defaultValue: "none" as String,
                metadata: nil)
            ]
          }

          nonisolated override class var _$plan: Contrail.ModelPlan {
            _$ownPlan
          }

          private nonisolated static let _$ownPlan = Contrail.ModelPlan(City.self)

          nonisolated override class func _$setDefaults(_ _$defaults: borrowing Contrail.ModelDefaults) {
            super._$setDefaults(_$defaults)
            Contrail._unisolated(_$setOwnDefaults, as: Contrail.ModelDefaults._Function.self)(_$defaults)
          }

          private static func _$setOwnDefaults(_ _$defaults: borrowing Contrail.ModelDefaults) {
            _$defaults.set(_$firstRank + 1, "none" as String)
          }

          nonisolated override func _$visit(_ visitor: inout Contrail.StorageVisitor) {
            super._$visit(&visitor)
            unsafe visitor.visit(&_$model)
          }

          private nonisolated static var _$firstRank: Int {
            Place._$rankCount(Place.self)
          }

          nonisolated static func _$rankCount(_: City.Type) -> Int {
            Place._$rankCount(Place.self) + 2
          }
        }
        """#)
  }
}
