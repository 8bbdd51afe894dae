import Contrail
import Testing

/// Counts the values that it has given.
private enum Ticker {
  nonisolated(unsafe) static var count = 0

  static func next() -> Int {
    count += 1
    return count
  }
}

/// A global of the name that a parameter once had.
private let defaults = "global"

/// Defaults that are others each time, with properties that some initializers set on one path only.
@Model final class Voucher {
  var number = Ticker.next()
  var text: String = defaults
  @Transient var note = ""
  var title: String

  init(number: Int? = nil, title: String) {
    if let number { self.number = number }
    self.title = title
  }

  init(like other: Voucher) {
    note = "like"
    other.title += "'"
    title = "copy"
  }

  /// Is not there yet.
  init(later: Bool) {
    fatalError("not yet")
  }

  init(refusing: Bool) throws {
    throw CancellationError()
  }
}

protocol Numbered { var number: Int { get } }

@Model class Pass: Numbered {
  var number = Ticker.next()
  var owner: String

  init(number: Int? = nil, owner: String) {
    if let number { self.number = number }
    self.owner = owner
  }
}

@Model final class YearPass: Pass {
  var serial = Ticker.next()
  var year: Int

  init(year: Int) {
    self.year = year
    super.init(owner: "nobody")
  }
}

@Suite(.serialized) struct FirstValues {
  @Test func `A default that is another each time is made in the initializer`() throws {
    Ticker.count = 100
    let first = Voucher(title: "first")
    let begun = Ticker.count
    let second = Voucher(number: 7, title: "second")
    let third = Voucher(like: first)
    let after = Ticker.count
    Ticker.count = 1000
    #expect(begun > 100)
    #expect((101...begun).contains(first.number))
    #expect(second.number == 7)
    #expect((begun...after).contains(third.number))
    #expect(first.title == "first'")
    #expect(first.text == "global")
  }

  @Test func `So it is in a class with a superclass, or with a protocol that may be one`() throws {
    Ticker.count = 100
    let pass = Pass(owner: "Ada")
    let given = Pass(number: 3, owner: "Bob")
    let year = YearPass(year: 2030)
    let made = Ticker.count
    Ticker.count = 1000
    #expect((101...made).contains(pass.number))
    #expect(given.number == 3)
    #expect((101...made).contains(year.number))
    #expect((101...made).contains(year.serial))
    let kept = try Kept(Pass.self, YearPass.self) { context in
      for model in [pass, given, year] { context.insert(model) }
    }
    let numbers = try kept.all(Pass.self).map(\.number).sorted()
    #expect(numbers == [pass.number, given.number, year.number].sorted())
    #expect(try kept.one(YearPass.self).serial == year.serial)
    // What is read from a store asks for no default.
    #expect(Ticker.count < 1010)
  }

  @Test func `An initializer that only throws is one`() {
    #expect(throws: CancellationError.self) { try Voucher(refusing: true) }
  }
}
