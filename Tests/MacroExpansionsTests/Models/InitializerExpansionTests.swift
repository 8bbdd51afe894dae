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

  @Test(arguments: [
    ("var made = Date.now", "init() {\n    made = .distantPast\n  }"),
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
