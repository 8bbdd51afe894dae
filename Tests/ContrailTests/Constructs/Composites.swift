import Contrail
import Testing

struct Span: Codable, Equatable {
  var from: Int
  var to: Int?
}

struct Sheet: Codable, Equatable {
  struct Cell: Codable, Equatable {
    var column: String
    var value: Double
  }

  var title: String
  var span: Span
  var cells: [Cell]
}

/// The ways in which a structure or a collection of values is a property.
@Model final class Ledger {
  var span: Span
  var limit: Span?
  var sheet: Sheet?
  var spans: [Span] = []
  var words: [String] = [String]()
  var numbers: [Int]
  var flags: [Bool]?
  var tags: Set<String> = []
  var counts: [String: Int] = [:]
  var notes: [Int: String] = [1: "one"]

  init(span: Span, numbers: [Int] = []) {
    self.span = span
    self.numbers = numbers
  }
}

@Suite struct Composites {
  @Test func `Structures, arrays, sets and dictionaries of values come back`() throws {
    let sheet = Sheet(
      title: "May", span: Span(from: 1, to: 31), cells: [Sheet.Cell(column: "A", value: 0.5)])
    let kept = try Kept(Ledger.self) { context in
      let ledger = Ledger(span: Span(from: 3, to: nil), numbers: [3, 1, 2])
      ledger.limit = Span(from: 0, to: 9)
      ledger.sheet = sheet
      ledger.spans = [Span(from: 1, to: 2), Span(from: 3, to: nil)]
      ledger.words.append("word")
      ledger.flags = [true, false]
      ledger.tags.insert("tag")
      ledger.counts["a"] = 1
      context.insert(ledger)
    }
    let ledger = try kept.one(Ledger.self)
    #expect(ledger.span == Span(from: 3, to: nil))
    #expect(ledger.limit == Span(from: 0, to: 9))
    #expect(ledger.sheet == sheet)
    #expect(ledger.spans == [Span(from: 1, to: 2), Span(from: 3, to: nil)])
    #expect(ledger.words == ["word"])
    #expect(ledger.numbers == [3, 1, 2])
    #expect(ledger.flags == [true, false])
    #expect(ledger.tags == ["tag"])
    #expect(ledger.counts == ["a": 1])
    #expect(ledger.notes == [1: "one"])
  }

  @Test func `A member of a structure changes in place, and is saved`() throws {
    let kept = try Kept(Ledger.self) { context in
      let ledger = Ledger(span: Span(from: 1, to: 2))
      context.insert(ledger)
      try context.save()
      ledger.span.to = 5
      ledger.sheet = nil
    }
    #expect(try kept.one(Ledger.self).span == Span(from: 1, to: 5))
    #expect(try kept.one(Ledger.self).limit == nil)
  }

  /// What a schema says of an attribute, and of its members in brackets.
  private func shown(_ attribute: Schema.Attribute) -> String {
    let members = (attribute as? Schema.CompositeAttribute)?.properties.map(shown)
    let optional = attribute.isOptional ? "?" : ""
    return "\(attribute.name) \(attribute.valueType)\(optional)"
      + (members.map { " [\($0.joined(separator: ", "))]" } ?? "")
  }

  @Test func `A structure is a composite attribute of the schema, with its members`() throws {
    let entity = try #require(Schema([Ledger.self]).entity(for: Ledger.self))
    let sheet = try #require(entity.attributesByName["sheet"])
    #expect(
      shown(sheet)
        == "sheet Optional<Sheet>? [cells Array<Cell>, span Span [from Int, to Int?], title String]"
    )
    #expect(!(entity.attributesByName["spans"] is Schema.CompositeAttribute))
    let copy = try JSONDecoder().decode(
      Schema.CompositeAttribute.self, from: JSONEncoder().encode(sheet))
    #expect(copy == sheet)
    #expect(
      shown(copy)
        == "sheet Any? [cells Any, span Any [from Any, to Any?], title Any]")
    let plain = try #require(entity.attributesByName["limit"])
    #expect(copy != plain)
  }
}
