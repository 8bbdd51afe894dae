import Contrail
import Testing

/// A value that is written and never read.
struct Seal: Codable, Equatable {
  struct Broken: Error {}

  var code: Int

  init(code: Int) { self.code = code }
  init(from decoder: any Decoder) throws { throw Broken() }
}

@Model final class Envelope {
  var seal: Seal

  init(seal: Seal) { self.seal = seal }
}

@Model final class Parchment {
  var seal = Seal(code: 1)

  init() {}
}

@Suite struct UnreadableValues {
  @Test func `A class with a type of which no value can be made is refused by a container`() {
    let error = #expect(throws: StoreError.self) { try Kept(Envelope.self) { _ in } }
    #expect(error?.code == .invalidSchema)
    #expect(error?.subject == "Envelope.seal")
  }

  @Test func `A model that is in no container keeps what it was given`() {
    let envelope = Envelope(seal: Seal(code: 7))
    #expect(envelope.seal.code == 7)
    envelope.seal = Seal(code: 8)
    #expect(envelope.seal.code == 8)
  }

  @Test func `The declared value stands for one that cannot be read`() throws {
    let kept = try Kept(Parchment.self) { $0.insert(Parchment()) }
    #expect(try kept.one(Parchment.self).seal == Seal(code: 1))
  }
}
