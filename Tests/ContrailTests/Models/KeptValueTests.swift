import Contrail
import Testing

/// Values that are kept as texts, and read once for each text.
@Model final class Offer {
  var price: Decimal
  var was: Decimal?
  var place: URL?

  init(price: Decimal) { self.price = price }
}

@Suite("Numbers and addresses that are read out of texts")
struct KeptValueTests {
  let container: ModelContainer
  let context: ModelContext
  let offer = Offer(price: 1)

  init() throws {
    container = try memory(Offer.self)
    context = ModelContext(container)
    context.insert(offer)
    offer.place = URL(string: "https://example.com/a")
    try context.save()
  }

  private var shown: String {
    "\(offer.price) \(offer.was.map { "\($0)" } ?? "-") \(offer.place?.absoluteString ?? "-")"
  }

  @Test func `a value that was read is that of the text that is there now`() throws {
    #expect(shown == "1 - https://example.com/a")
    #expect(shown == "1 - https://example.com/a")
    offer.price = Decimal(5) / 2
    offer.was = 1
    offer.place = URL(string: "file:///b")
    #expect(shown == "2.5 1 file:///b")
    #expect(shown == "2.5 1 file:///b")
    offer.was = nil
    offer.place = nil
    #expect(shown == "2.5 - -")
  }

  @Test func `a rollback and a save elsewhere show what they bring`() throws {
    #expect(shown == "1 - https://example.com/a")
    offer.price = 2
    offer.place = nil
    #expect(shown == "2 - -")
    context.rollback()
    #expect(shown == "1 - https://example.com/a")
    let other = ModelContext(container)
    let same = try #require(try other.fetch(FetchDescriptor<Offer>()).first)
    #expect(same.price == 1)
    same.price = 3
    same.was = 1
    same.place = URL(string: "https://example.com/c")
    try other.save()
    context.processPendingChanges()
    #expect(shown == "3 1 https://example.com/c")
  }
}
