import DataModel
import Testing

@Suite struct `The parts of a schema have one order` {
  @Test func `also when a letter is composed in one name and not in another`() {
    let names = ["e\u{301}", "\u{e9}{", "z", "Z", "e"]
    let inOrder = Schema(entities: names.map { Schema.Entity(name: $0) })
    let reversed = Schema(entities: names.reversed().map { Schema.Entity(name: $0) })
    #expect(inOrder == reversed)
    #expect(inOrder.entities.map(\.name) == ["Z", "e", "e\u{301}", "z", "\u{e9}{"])
    for name in names { #expect(inOrder.entity(name)?.name == name) }
  }
}
