import Testing

@testable import DataModel

@Suite struct `The name of an edge` {
  private static let long = String(repeating: "x", count: 255)
  private static let names = ["x", "y", "z", "x:y", "y:z", "x:y:z", ":", "1:x", long, long + ":"]
    .map { String($0.suffix(255)) }
  private static let layouts: [MappedEdge.Layout] = [
    .own(source: "source", target: "target", sourceOrder: nil, targetOrder: nil),
    MappedNames.sharedEdge,
  ]

  /// Relationships whose entities and names run together where nothing keeps them apart.
  private static let ends: [(MappedEdge.End, MappedEdge.End?)] = [
    (.init(entity: "Post", relationship: "tags"), .init(entity: "Tag", relationship: "posts")),
    (.init(entity: "Post", relationship: "pins"), .init(entity: "Tag", relationship: "pinned")),
    (.init(entity: "Pos", relationship: "ttags"), .init(entity: "Tag", relationship: "posts")),
    (.init(entity: "Post", relationship: "tag"), .init(entity: "sTag", relationship: "posts")),
    (.init(entity: "Post", relationship: "loose"), nil),
  ]

  private static func edges(_ layout: MappedEdge.Layout) -> [MappedEdge] {
    ends.map { source, target in
      let type: String =
        if case .shared = layout {
          MappedNames.sharedEdgeType
        } else {
          MappedNames.edgeType(of: source)
        }
      return MappedEdge(recordType: type, source: source, target: target, layout: layout)
    }
  }

  private static func named(_ text: String) throws -> RecordName { try #require(RecordName(text)) }

  @Test(arguments: layouts)
  func `is another one for every pair of objects and every relationship`(
    _ layout: MappedEdge.Layout
  ) throws {
    var seen: [String: String] = [:]
    let names = Set(Self.names).sorted()
    for edge in Self.edges(layout) {
      for source in names {
        for target in names {
          let name = try #require(
            edge.recordName(source: Self.named(source), target: Self.named(target)))
          #expect(RecordName.problem(with: name.text) == nil)
          let pair = "\(edge.source) \(source.debugDescription) \(target.debugDescription)"
          #expect(seen.updateValue(pair, forKey: name.text) == nil, "\(pair)")
        }
      }
    }
    #expect(seen.count == Self.ends.count * names.count * names.count)
  }

  @Test(arguments: layouts)
  func `is the same whichever end asks, where both ends are one relationship`(
    _ layout: MappedEdge.Layout
  ) throws {
    let end = MappedEdge.End(entity: "Pilot", relationship: "friends")
    let edge = MappedEdge(
      recordType: "Pilot_friends", source: end, target: end, layout: layout)
    for source in Self.names {
      for target in Self.names {
        let ends = (try Self.named(source), try Self.named(target))
        #expect(
          edge.recordName(source: ends.0, target: ends.1)
            == edge.recordName(source: ends.1, target: ends.0))
      }
    }
  }

  @Test func `shows both names where they can stand beside each other, else is a digest`() throws {
    let edge = try #require(Self.edges(Self.layouts[0]).first)
    func name(_ source: String, _ target: String) throws -> String? {
      edge.recordName(source: try Self.named(source), target: try Self.named(target))?.text
    }
    #expect(try name("x", "y") == "Post_tags:x:y")
    #expect(try name("x:y", "z")?.count == 64)
    #expect(try name(Self.long, "z")?.count == 64)
    #expect(try name(Self.long, "z") != name(Self.long, "y"))
  }

  @Test func `is a UUID of version 8 in upper case in the type that relationships share`() throws {
    let edge = try #require(Self.edges(Self.layouts[1]).first)
    let name = try #require(edge.recordName(source: Self.named("x"), target: Self.named("y")))
    // Fixed here: another release that named it otherwise would join the same pair a second time.
    #expect(name.text == "2CCE64F5-2E1A-88B3-B4F4-F505190D712B")
  }
}
