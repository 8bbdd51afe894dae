import Contrail
import Foundation
import Testing

/// Values that are kept as texts, and read once for each text.
@Model final class Offer {
  var price: Decimal
  var was: Decimal?
  var place: URL?

  init(price: Decimal) { self.price = price }
}

/// Values that are made of parts, or of bytes, and made once.
@Model final class Hamper {
  var tags: [String]
  var size: HamperSize
  var target: HamperSize?
  var label: Data
  var options: HamperOptions
  var all: [HamperOptions] = []

  init() {
    tags = ["a"]
    size = HamperSize(width: 1, depth: nil, prices: [1])
    label = Data([1])
    options = HamperOptions()
  }
}

struct HamperSize: Codable, Equatable {
  var width: Int
  var depth: Double?
  var prices: [Decimal]
}

/// An instance that whoever reads it may change.
final class HamperOptions: Codable {
  var isFragile = false
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

@Suite("Values that are made of parts or of bytes")
struct MadeValueTests {
  let container: ModelContainer
  let context: ModelContext
  let hamper = Hamper()

  init() throws {
    container = try memory(Hamper.self)
    context = ModelContext(container)
    context.insert(hamper)
    try context.save()
  }

  private func shown(_ hamper: Hamper) -> String {
    let (size, target) = (hamper.size, hamper.target)
    return """
      \(hamper.tags) \(size.width) \(size.depth ?? 0) \(size.prices) \(target.map { "\($0.width)" } ?? "-") \
      \(Array(hamper.label))
      """
  }

  private let first = #"["a"] 1 0.0 [1] - [1]"#
  private let second = #"["a", "b"] 2 0.5 [1, 2.5] 3 [2, 2]"#

  private func change(_ hamper: Hamper) {
    hamper.tags.append("b")
    hamper.size.width = 2
    hamper.size.depth = 0.5
    hamper.size.prices.append(2.5)
    hamper.target = HamperSize(width: 3, depth: nil, prices: [])
    hamper.label = Data([2, 2])
  }

  @Test func `what was read is what is there now, in a new model and a saved one`() throws {
    let new = Hamper()
    for hamper in [new, hamper] {
      #expect([shown(hamper), shown(hamper)] == [first, first])
      change(hamper)
      #expect([shown(hamper), shown(hamper)] == [second, second])
    }
    hamper.target = nil
    hamper.size.depth = nil
    #expect(shown(hamper) == #"["a", "b"] 2 0.0 [1, 2.5] - [2, 2]"#)
  }

  @Test func `a rollback, undo and redo, and a save elsewhere show what they bring`() throws {
    let undo = UndoManager()
    context.undoManager = undo
    #expect(shown(hamper) == first)
    change(hamper)
    #expect(shown(hamper) == second)
    context.rollback()
    #expect(shown(hamper) == first)
    change(hamper)
    try context.save()
    #expect(shown(hamper) == second)
    undo.undo()
    #expect(shown(hamper) == first)
    undo.redo()
    #expect(shown(hamper) == second)
    try context.save()
    let other = ModelContext(container)
    let same = try #require(try other.fetch(FetchDescriptor<Hamper>()).first)
    #expect(shown(same) == second)
    same.tags = []
    same.size = HamperSize(width: 9, depth: 9, prices: [])
    same.target = nil
    same.label = Data()
    try other.save()
    context.processPendingChanges()
    #expect(shown(hamper) == #"[] 9 9.0 [] - []"#)
  }

  @Test func `a part that is set by its path is seen in the whole`() throws {
    #expect(shown(hamper) == first)
    hamper.size.prices = []
    let path = \Hamper.size.width
    hamper[keyPath: \.size.width] = 7
    #expect(hamper[keyPath: path] == 7)
    #expect(shown(hamper) == #"["a"] 7 0.0 [] - [1]"#)
  }

  @Test func `who changes an instance that was read changes nothing of the model`() {
    hamper.options.isFragile = true
    #expect(hamper.options.isFragile == false)
    let options = hamper.options
    options.isFragile = true
    hamper.options = options
    #expect(hamper.options.isFragile == true)
  }

  @Test func `an instance within a value is read anew each time`() {
    hamper.all = [HamperOptions()]
    let first = hamper.all[0]
    first.isFragile = true
    #expect(hamper.all.map(\.isFragile) == [false])
    hamper.all = [first]
    #expect(hamper.all.map(\.isFragile) == [true])
  }

  @Test func `long data is what was set, though it is not held twice`() throws {
    let long = Data(repeating: 3, count: 64 * 1024 + 1)
    hamper.label = long
    #expect(hamper.label == long)
    #expect(hamper.label == long)
    try context.save()
    hamper.label[0] = 4
    #expect(Array(hamper.label.prefix(2)) == [4, 3])
  }
}
