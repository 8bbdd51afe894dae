import JSONStream
import Testing

@Suite struct PositionTests {
  @Test func `every member and value of a tree knows its line and column`() throws {
    let text = """
      {
        "größe": 1,\r
        "list": [true,
                 {"deep": "x"}]
      }
      """
    let root = try JSONValue(reading: text)
    var places: [String] = []
    func collect(_ value: JSONValue) {
      for member in value.members ?? [] {
        places.append(
          "\(member.key) \(describe(member.keyPosition)) \(describe(member.value.position))")
        collect(member.value)
      }
      for element in value.elements ?? [] {
        places.append("element \(describe(element.position))")
        collect(element)
      }
    }
    collect(root)
    #expect(describe(root.position) == "1:1")
    #expect(
      places == [
        "größe 2:3 2:12", "list 3:3 3:11", "element 3:12", "element 4:12", "deep 4:13 4:21",
      ])
  }

  @Test func `an error about a value names the value's place`() throws {
    let tree = try JSONValue(reading: "{\n  \"count\": \"three\"\n}")
    let error = #expect(throws: JSONError.self) { try tree.require("count").requireInteger() }
    #expect(error?.description == "2:12: expected an integer of 64 bits, found a string")
    let missing = #expect(throws: JSONError.self) { try tree.require("name") }
    #expect(missing?.description == "1:1: expected a member 'name', found none in this object")
  }

  @Test func `a reader's own demands carry the place of what it read last`() {
    let error = #expect(throws: JSONError.self) {
      try JSONReader.read(Array("[1,\n 2, \"x\"]".utf8)) { reader in
        try reader.readArray { reader in
          if try reader.peekType() == .string {
            let text = try reader.readString()
            throw reader.refusal(expected: "no text", found: "'\(text)'")
          }
        }
      }
    }
    #expect(error?.description == "2:5: expected no text, found 'x'")
    #expect(error?.code == .refused)
  }

  @Test func `a value of another type is named as what it is`() {
    let text = #"{"a": [null]}"#
    let error = #expect(throws: JSONError.self) {
      try JSONReader.read(Array(text.utf8)) { reader in
        try reader.readObject { _, reader in try reader.readArray { _ = try $0.readDouble() } }
      }
    }
    #expect(error?.description == "1:8: expected a number, found null")
  }

  @Test func `asking for many positions in one long line takes one pass`() throws {
    let count = 200_000
    let text = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
    let last = try JSONValue(reading: text).elements?.last?.position
    #expect(last == JSONPosition(line: 1, column: 2 * count, offset: 2 * count - 1))
  }

  private func describe(_ position: JSONPosition?) -> String {
    position.map { "\($0)" } ?? "nowhere"
  }
}
