public import Contrail
import Foundation
import Testing

/// Properties by access, by default value, and by name.
@Model public final class Drawer {
  /// What tells one drawer from another.
  @Attribute(.unique) public private(set) var serial: String
  /// How often it was opened.
  public private(set) var opened = 0
  private(set) var lastOpened: Date?
  private var secret = "hidden"
  fileprivate var shelf: Int = 3
  /// What is written on it.
  public var title = ""
  var ratio: Double = -1.5
  var since: Date = Date.distantPast
  var key = UUID()
  var made = Date()
  var kinds: [String] = ["a", "b"]
  var place: Place = Place.left
  var name: String = Place.right.rawValue
  var nothing: String? = nil
  var _underscored: Int = 1
  var `default`: Bool = true
  var order = 0
  var model: String?
  var data: Data = Data()
  var type: String = "drawer"
  var index: Int { order + 1 }

  @Transient var visits = 0
  @Transient var note: String?
  @Transient var label: String { title + "!" }

  enum Place: String, Codable {
    case left, right
  }

  static let limit = 10
  static var common: Drawer { Drawer(serial: "common") }

  /// A closed drawer.
  public init(serial: String) {
    self.serial = serial
  }

  /// Counts one more opening.
  public func open(at day: Date) {
    opened += 1
    lastOpened = day
    secret += "!"
  }

  var told: String { "\(opened) \(secret) \(shelf)" }
}

/// A name that a model has from elsewhere, and that a program gives a meaning of its own.
@Model final class Named: Identifiable {
  var id: String

  init(id: String) {
    self.id = id
  }
}

@Suite struct PropertyShapes {
  @Test func `Properties of every access are kept, transient ones are not`() throws {
    let day = Date(timeIntervalSinceReferenceDate: 60)
    let kept = try Kept(Drawer.self) { context in
      let drawer = Drawer(serial: "d1")
      drawer.open(at: day)
      drawer.open(at: day)
      drawer.shelf = 4
      drawer.title = "Tools"
      drawer.visits = 9
      drawer.note = "not kept"
      context.insert(drawer)
    }
    let drawer = try kept.one(Drawer.self)
    #expect(drawer.serial == "d1")
    #expect(drawer.told == "2 hidden!! 4")
    #expect(drawer.lastOpened == day)
    #expect(drawer.label == "Tools!")
    #expect(drawer.visits == 0)
    #expect(drawer.note == nil)
  }

  @Test func `Default values of every form are kept`() throws {
    let made = Drawer(serial: "d2")
    let kept = try Kept(Drawer.self) { $0.insert(made) }
    let drawer = try kept.one(Drawer.self)
    #expect(drawer.ratio == -1.5)
    #expect(drawer.since == .distantPast)
    #expect(drawer.key == made.key)
    #expect(drawer.made == made.made)
    #expect(drawer.kinds == ["a", "b"])
    #expect(drawer.place == .left)
    #expect(drawer.name == "right")
    #expect(drawer.nothing == nil)
    #expect(drawer._underscored == 1)
    #expect(drawer.default)
    #expect(drawer.index == 1)
    #expect(drawer.model == nil)
    #expect(drawer.data == Data())
    #expect(drawer.type == "drawer")
  }

  @Test func `Each object has default values of its own`() {
    #expect(Drawer(serial: "a").key != Drawer(serial: "b").key)
  }

  @Test func `A program's own identity goes before the one that every model has`() throws {
    let kept = try Kept(Named.self) { $0.insert(Named(id: "n1")) }
    let named: some Identifiable<String> = try kept.one(Named.self)
    #expect(named.id == "n1")
  }
}
