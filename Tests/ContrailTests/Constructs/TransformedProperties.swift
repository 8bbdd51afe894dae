import Contrail
import Testing

/// A colour, of which only a transformer makes bytes.
struct Tint: Equatable {
  var red: UInt8
  var green: UInt8
}

final class TintTransformer: ValueTransformer {
  override class func allowsReverseTransformation() -> Bool { true }

  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Tint).map { Data([$0.red, $0.green]) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data, data.count == 2 else { return nil }
    return Tint(red: data[data.startIndex], green: data[data.startIndex + 1])
  }
}

@Model final class Curtain {
  @Attribute(.transformable(by: TintTransformer.self)) var front = Tint(red: 1, green: 2)
  @Attribute(.transformable(by: TintTransformer.self)) var back: Tint?
  @Attribute(.transformable(by: "TintTransformer")) var hem: Tint?

  init(back: Tint?) { self.back = back }
}

@Model final class Lining {
  @Attribute(.transformable(by: "LiningTransformer")) var tint = Tint(red: 1, green: 2)

  init() {}
}

@Suite struct TransformedProperties {
  @Test func `What a transformer makes bytes of is kept`() throws {
    ValueTransformer.setValueTransformer(
      TintTransformer(), forName: NSValueTransformerName("TintTransformer"))
    let kept = try Kept(Curtain.self) { context in
      let curtain = Curtain(back: Tint(red: 9, green: 8))
      curtain.front.green = 7
      curtain.hem = Tint(red: 5, green: 6)
      context.insert(curtain)
      context.insert(Curtain(back: nil))
    }
    let curtains = try kept.context.fetch(FetchDescriptor<Curtain>())
      .sorted { $0.front.green > $1.front.green }
    #expect(curtains.map(\.front) == [Tint(red: 1, green: 7), Tint(red: 1, green: 2)])
    #expect(curtains.map(\.back) == [Tint(red: 9, green: 8), nil])
    #expect(curtains.map(\.hem) == [Tint(red: 5, green: 6), nil])
  }

  @Test func `What nobody can read any more is the declared value, and told`() throws {
    let name = NSValueTransformerName("LiningTransformer")
    ValueTransformer.setValueTransformer(TintTransformer(), forName: name)
    let kept = try Kept(Lining.self) { context in
      let lining = Lining()
      lining.tint = Tint(red: 3, green: 3)
      context.insert(lining)
    }
    let lining = try kept.one(Lining.self)
    #expect(lining.tint == Tint(red: 3, green: 3))
    ValueTransformer.setValueTransformer(nil, forName: name)
    #expect(lining.tint == Tint(red: 1, green: 2))
    #expect(kept.context.problems.map(\.code) == [.unreadableValue])
  }
}
