import Testing

@testable import MacroExpansions

@Suite struct InitializerExpansionTests {
  @Test
  func `an initializer that sets nothing makes the object where a default is another each time`() {
    let expansion = model("var made = Date.now", initializer: "init() {\n    print(1)\n  }")
    #expect(
      expansion.member("init()") == """
        init() {
          _ = self._newObject()
          print(1)
        }
        """)
  }

  @Test func `a property that is set on one path only begins in the initializer all the same`() {
    let expansion = model(
      "var made = Date.now",
      initializer: "init(_ date: Date?) {\n    if let date { made = date }\n  }")
    #expect(
      expansion.member("init(_ date: Date?)") == """
        init(_ date: Date?) {
          _ = self._newObject()
          if let date {
            made = date
          }
        }
        """)
  }

  @Test func `a class that may have a superclass gives such defaults before there is an object`() {
    let expansion = Expansion(
      ofSubclass: """
        @Model final class Tour: Trip {
          var made = Date.now
          var code: String = make()
          var seats = 4
          init() {
            super.init(name: "")
          }
        }
        """)
    #expect(
      expansion.member("init()") == """
        init() {
          unsafe Tour._$giveStart(&self._$model)
          super.init(name: "")
        }
        """)
    #expect(
      expansion.member("private static func _$giveStart") == """
        private static func _$giveStart(_ _$storage: inout Contrail.ModelStorage) {
          _$storage.initialize(_$firstRank + 0, make() as String)
          _$storage.initialize(_$firstRank + 1, Date.now)
        }
        """)
  }

  @Test(arguments: [
    ("var count = 1", "init() {\n  }"), ("var made: Date?", "init() {\n  }"),
    ("var made = Date.now", "convenience init() {\n    self.init(1)\n  }"),
    ("@Transient var made = Date.now", "init() {\n  }"),
  ])
  func `other initializers stay as they are`(property: String, initializer: String) {
    let lines = initializer.split(separator: "\n").map { $0.hasPrefix("  ") ? $0.dropFirst(2) : $0 }
    #expect(
      model(property, initializer: initializer).member(String(lines[0]))
        == lines.joined(separator: "\n"))
  }

  private func model(_ property: String, initializer: String) -> Expansion {
    Expansion(ofModel: "@Model final class Trip {\n  \(property)\n  \(initializer)\n}")
  }
}
