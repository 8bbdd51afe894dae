import DataModel
import RecordServer
import SchemaFormats
import Testing

/// What tests remember of production, apart from what the code under test does.
private struct Memory {
  /// The field's type, in the test's own words.
  private var promoted: [String: String] = [:]
  private var last: ContainerSchema

  init(_ container: ContainerSchema) {
    last = container
    for (name, type) in Self.parts(of: container.production) { promoted[name] = type }
  }

  /// Holds the next schema to what was seen before; gives what is wrong with it.
  mutating func problems(with next: ContainerSchema) -> [String] {
    var problems: [String] = []
    let production = Self.parts(of: next.production)
    let development = Self.parts(of: next.development)
    for (name, type) in promoted {
      if production[name] != type { problems.append("production lost \(name)") }
      if development[name] != type { problems.append("development lost \(name)") }
    }
    for (name, type) in production where promoted[name] == nil {
      // It came from development, in a promotion that stands in the audit list.
      let isPromotion = next.audit.last?.act == .promoted && next.audit.count > last.audit.count
      if Self.parts(of: last.development)[name] != type || !isPromotion {
        problems.append("\(name) is in production, and nobody promoted it")
      }
    }
    if next == last ? next.version != last.version : next.version != last.version + 1 {
      problems.append("the version went from \(last.version) to \(next.version)")
    }
    promoted.merge(production) { old, _ in old }
    last = next
    return problems
  }

  /// Types and fields, each with all that may never change.
  private static func parts(of schema: RecordSchema) -> [String: String] {
    var parts: [String: String] = [:]
    for type in schema.types {
      parts[type.name] = "type"
      for field in type.fields {
        parts["\(type.name).\(field.name)"] =
          "\(field.type) \(field.isList) \(field.isEncrypted) \(field.preferredNumber as Any)"
      }
    }
    return parts
  }
}

@Suite struct `Whatever is done to a container's schema` {
  private static let steps = 60

  @Test(arguments: UInt64(0)..<16)
  func `what was promoted stays, and only that is in production`(_ seed: UInt64) throws {
    var walk = SchemaWalk(seed: seed)
    var memory = Memory(walk.container)
    for number in 0..<Self.steps {
      walk.advance()
      let place: Comment = "seed \(seed), step \(number): \(walk.step)"
      let container = walk.container
      #expect(memory.problems(with: container) == [], place)
      #expect(container.flaws == [], place)
      #expect(try ContainerSchema(stored: container.stored()) == container, place)
      try expectExportsChangeNothing(container, place)
      expectPromotionsSettle(container, place)
    }
  }

  /// Every kind of step must happen, or the walks prove nothing.
  @Test func `the walks save, import, promote and reset, and are refused`() {
    var changes: [String: Int] = [:]
    var refusals: [String: Int] = [:]
    for seed in UInt64(0)..<16 {
      var walk = SchemaWalk(seed: seed)
      for _ in 0..<Self.steps { walk.advance() }
      changes.merge(walk.changes, uniquingKeysWith: +)
      refusals.merge(walk.refusals, uniquingKeysWith: +)
    }
    for kind in ["save", "fits", "import", "promote", "reset"] {
      #expect(changes[kind, default: 0] >= 10, "\(changes)")
    }
    for kind in ["save", "import", "promote"] {
      #expect(refusals[kind, default: 0] >= 10, "\(refusals)")
    }
  }

  private func expectExportsChangeNothing(
    _ container: ContainerSchema, _ place: Comment
  ) throws {
    let text = try container.exported(.development)
    let back = container.importing(Array(text.utf8), file: "export.ckdb", by: .test)
    // A file with a field that has no business there is refused even when it is an export; saves
    // and imports let none in.
    #expect(back.plan.refusals == [], place)
    #expect(back.schema == container, place)
  }

  private func expectPromotionsSettle(_ container: ContainerSchema, _ place: Comment) {
    let once = container.promoting(accepting: ["write-to-world"], by: .test)
    let twice = once.schema.promoting(
      accepting: ["write-to-world"], by: AuditMark(by: "again", at: 1))
    #expect(twice.schema == once.schema, place)
    #expect(once.plan.refusals.isEmpty == twice.plan.refusals.isEmpty, place)
  }
}
