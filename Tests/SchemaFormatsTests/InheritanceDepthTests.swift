import DataModel
import SchemaFormats
import Testing

@Suite struct `Inheritance in a file` {
  @Test func `may be as deep as the limit`() throws {
    let links = chain(of: Schema.inheritanceDepthMax + 1)
    let schema = try ModelText.schema(model(links))
    #expect(schema.ancestors(of: try #require(schema.entity("E64"))).count == 64)
    #expect(failure(json(links)) == nil)
  }

  @Test func `is refused when it is deeper, at the first entity beyond the limit`() {
    let links = chain(of: 3_000)
    #expect(throws: refusal("contents", line: 67, column: 20, "E65")) {
      try ModelText.model(model(links))
    }
    #expect(failure(json(links)) == refusal("schema.json", line: 67, column: 9, "E65"))
  }

  @Test func `may run in a circle, which the lint tells, but in no long one`() throws {
    let short = [("A", "C"), ("B", "A"), ("C", "B"), ("D", "C")]
    #expect(try ModelText.schema(model(short)).entities.count == 4)
    let long = chain(of: 3_000).map { ($0.0, $0.0 == "E0" ? "E2999" : $0.1) }
    #expect(failure(json(long)) == refusal("schema.json", line: 2, column: 8, "E0"))
  }

  private typealias Link = (name: String, parent: String?)

  private func chain(of count: Int) -> [Link] {
    (0..<count).map { ("E\($0)", $0 == 0 ? nil : "E\($0 - 1)") }
  }

  private func model(_ links: [Link]) -> String {
    links.map { link in
      let parent = link.parent.map { " parentEntity=\"\($0)\"" } ?? ""
      return "<entity name=\"\(link.name)\"\(parent)/>"
    }.joined(separator: "\n")
  }

  private func json(_ links: [Link]) -> String {
    let entities = links.map { link in
      let parent = link.parent.map { "\"parent\": \"\($0)\"" } ?? ""
      return "\"\(link.name)\": {\(parent)}"
    }.joined(separator: ",\n")
    return "{\"contrail\": 1, \"kind\": \"objects\", \"entities\": {\n\(entities)}}"
  }

  private func failure(_ text: String) -> SchemaFormatError? {
    do throws(SchemaFormatError) {
      _ = try ContrailJSON.read(Array(text.utf8), file: "schema.json", label: "schema")
      return nil
    } catch { return error }
  }

  private func refusal(
    _ file: String, line: Int, column: Int, _ entity: String
  ) -> SchemaFormatError {
    SchemaFormatError(
      at: SourceLocation(file: file, position: SourcePosition(line: line, column: column)),
      expected: "at most 64 ancestors of an entity", found: "more of \"\(entity)\"")
  }
}
