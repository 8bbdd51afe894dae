public import Contrail
import Testing

protocol Labelled {
  var label: String { get set }
}

extension Labelled {
  var shout: String { label.uppercased() }
}

/// What is kept under a name of its own.
enum Wardrobe {
  /// A model within another type.
  @Model final class Hanger: Labelled, Comparable, CustomStringConvertible {
    var label: String

    init(label: String) {
      self.label = label
    }

    static func < (one: Hanger, other: Hanger) -> Bool { one.label < other.label }

    var description: String { "hanger \(label)" }
  }
}

extension Wardrobe {
  /// A model within an extension, open to subclasses.
  @Model class Coat {
    var size: Int

    init(size: Int) {
      self.size = size
    }

    var told: String { "coat \(size)" }
  }

  @Model final class Raincoat: Coat {
    var hood: Bool

    init(size: Int, hood: Bool) {
      self.hood = hood
      super.init(size: size)
    }

    override var told: String { super.told + (hood ? " with a hood" : "") }
  }
}

/// A model with an equality of its own.
@Model final class Ticket: Hashable, Identifiable {
  @Attribute(.unique) var id: String
  var seat: Int

  init(id: String, seat: Int) {
    self.id = id
    self.seat = seat
  }

  static func == (one: Ticket, other: Ticket) -> Bool { one.id == other.id }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Ticket {
  var row: Int { seat / 10 }

  static func sample(_ seat: Int) -> Ticket { Ticket(id: "s\(seat)", seat: seat) }
}

/// An open model of a package.
@Model open class Opened {
  /// What it says.
  public var text: String

  /// A model that says `text`.
  public init(text: String) {
    self.text = text
  }
}

/// A model that only some builds have, with a property that only some builds have.
#if canImport(Contrail)
  @Model final class Conditional {
    var always: Int
    #if DEBUG || !DEBUG
      var sometimes: Int = 2
    #endif

    init(always: Int) {
      self.always = always
    }
  }
#endif

/// A model that says itself that it is one.
@Model final class Settings: PersistentModel {
  var volume = 5

  init() {}
}

/// What models of several classes have in common.
protocol Syncable: PersistentModel {
  var stamp: Int { get set }
}

/// A model by way of a protocol of one's own.
@Model final class Note: Syncable {
  var text: String
  var stamp = 1

  init(text: String) { self.text = text }
}

@available(iOS 26, macOS 26, *)
@Model final class Lately {
  var text: String

  init(text: String) { self.text = text }
}

@Suite struct ClassShapes {
  @Test func `Nested models with conformances of their own are kept`() throws {
    let kept = try Kept(Wardrobe.Hanger.self) { context in
      for label in ["b", "a"] { context.insert(Wardrobe.Hanger(label: label)) }
    }
    let hangers = try kept.all(Wardrobe.Hanger.self).sorted()
    #expect(hangers.map(\.description) == ["hanger a", "hanger b"])
    #expect(hangers.map(\.shout) == ["A", "B"])
  }

  @Test func `A subclass is kept with the properties of both`() throws {
    let kept = try Kept(Wardrobe.Coat.self, Wardrobe.Raincoat.self) { context in
      context.insert(Wardrobe.Coat(size: 40))
      context.insert(Wardrobe.Raincoat(size: 42, hood: true))
    }
    let coats = try kept.all(Wardrobe.Coat.self).sorted { $0.size < $1.size }
    #expect(coats.map(\.told) == ["coat 40", "coat 42 with a hood"])
    #expect(try kept.one(Wardrobe.Raincoat.self).size == 42)
  }

  @Test func `A model's own equality is used`() throws {
    let kept = try Kept(Ticket.self) { $0.insert(Ticket.sample(21)) }
    let ticket = try kept.one(Ticket.self)
    #expect(ticket == Ticket(id: "s21", seat: 0))
    #expect(Set([ticket, Ticket(id: "s21", seat: 1)]).count == 1)
    #expect(ticket.row == 2)
  }

  @Test func `Models that say so, or say so by another protocol, are kept`() throws {
    func raise<Model: Syncable>(_ model: Model) { model.stamp += 1 }
    let kept = try Kept(Settings.self, Note.self) { context in
      let (settings, note) = (Settings(), Note(text: "first"))
      settings.volume = 7
      raise(note)
      context.insert(settings)
      context.insert(note)
    }
    #expect(try kept.one(Settings.self).volume == 7)
    let note = try kept.one(Note.self)
    #expect(note.text == "first")
    #expect(note.stamp == 2)
  }

  @Test func `Open, conditional and dated models are kept`() throws {
    let kept = try Kept(Opened.self, Conditional.self, Lately.self) { context in
      context.insert(Opened(text: "open"))
      context.insert(Conditional(always: 1))
      context.insert(Lately(text: "late"))
    }
    #expect(try kept.one(Opened.self).text == "open")
    #expect(try kept.one(Conditional.self).sometimes == 2)
    #expect(try kept.one(Lately.self).text == "late")
  }
}
