import DataModel
import Testing

@testable import ObjectStore

@Suite struct DerivationTests {
  @Test func `the forms of expressions are read`() {
    let rows: [(String, Derivation.Kind, [String])] = [
      ("now()", .now, []),
      (" now() ", .now, []),
      ("name", .path(nil), ["name"]),
      ("folder.title", .path(nil), ["folder", "title"]),
      ("canonical:(caption)", .path(.canonical), ["caption"]),
      ("lowercase:(folder.title)", .path(.lowercase), ["folder", "title"]),
      ("uppercase:( caption )", .path(.uppercase), ["caption"]),
      ("photos.@count", .aggregate(.count), ["photos"]),
      ("photos.@sum.bytes", .aggregate(.sum), ["photos", "bytes"]),
      ("photos.@min.bytes", .aggregate(.min), ["photos", "bytes"]),
      ("photos.@max.bytes", .aggregate(.max), ["photos", "bytes"]),
      ("photos.@avg.bytes", .aggregate(.average), ["photos", "bytes"]),
      ("average:(photos.bytes)", .aggregate(.average), ["photos", "bytes"]),
      ("count:(photos)", .aggregate(.count), ["photos"]),
    ]
    for (text, kind, path) in rows {
      let found = Derivation(text)
      #expect(found?.kind == kind && found?.path == path, "\(text)")
    }
  }

  @Test(arguments: [
    "", "now( )", "name + 1", "a..b", ".a", "a.", "@count", "a.b.@count", "a.@count.b",
    "a.@sum", "a.@median.b", "a.@sum.b.c", "reverse:(a)", "canonical:(a", "canonical:()",
    "canonical:(a.@count)", "1a", "a b", "sum:(a)", "count:(a.b)", "a.@average.b", "\"a\"",
  ])
  func `any other form is none`(_ text: String) { #expect(Derivation(text) == nil) }

  func failures(_ attributes: [Schema.Attribute]) -> [StoreError] {
    let schema = Schema(
      name: "S",
      entities: [
        Schema.Entity(
          name: "A",
          attributes: attributes + [
            Schema.Attribute(name: "text", type: .string),
            Schema.Attribute(name: "number", type: .integer64),
            Schema.Attribute(name: "bytes", type: .binaryData, options: [.externalStorage]),
          ],
          relationships: [
            Schema.Relationship(name: "one", destination: "B", inverse: "many"),
            Schema.Relationship(
              name: "others", destination: "B", inverse: "owners", isToMany: true),
          ]),
        Schema.Entity(
          name: "B", attributes: [Schema.Attribute(name: "text", type: .string)],
          relationships: [
            Schema.Relationship(name: "many", destination: "A", inverse: "one", isToMany: true),
            Schema.Relationship(
              name: "owners", destination: "A", inverse: "others", isToMany: true),
          ]),
      ])
    do {
      _ = try Store(at: .memory, schema: schema)
      return []
    } catch let error as StoreError {
      return error.failures.isEmpty ? [error] : error.failures
    } catch {
      return []
    }
  }

  func attribute(
    _ name: String, _ type: Schema.AttributeType, _ text: String,
    options: Schema.Attribute.Options = []
  ) -> Schema.Attribute {
    Schema.Attribute(name: name, type: type, isOptional: true, options: options, derivation: text)
  }

  @Test func `what cannot be computed is refused when the store is opened, by name`() {
    let found = failures([
      attribute("a", .string, "text + text"), attribute("b", .string, "missing"),
      attribute("c", .string, "one.missing"), attribute("d", .string, "others.text"),
      attribute("e", .integer64, "one.@count"), attribute("f", .string, "number"),
      attribute("g", .integer64, "others.@sum.text"), attribute("h", .string, "now()"),
      attribute("i", .string, "canonical:(number)"), attribute("j", .string, "a"),
      attribute("k", .binaryData, "bytes"), attribute("l", .date, "now()", options: .transient),
    ])
    #expect(Set(found.map(\.code)) == [.invalidDerivation])
    #expect(found.map(\.subject) == "abcdefghijkl".map { "A.\($0)" })
    #expect(failures([attribute("a", .string, "one.text")]) == [])
  }
}
