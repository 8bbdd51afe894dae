import Contrail
import Foundation
import Synchronization
import Testing

@testable import class ObjectStore.ManagedObject

/// What has values that take long to write.
@Model final class Satchel {
  var number = 0
  var size: SatchelSize
  var other: SatchelSize?
  var list: [SatchelSize] = []
  var tags: [SatchelTag] = []
  var label = Data()
  var tree = SatchelTree(name: "root")
  var extra = SatchelExtra(0)
  var words: [String] = []
  var chunks: [Data] = []
  var bag: SatchelBag?
  var bags: [SatchelBag] = []
  var wearers: [SatchelBag] = []

  init(_ size: SatchelSize = SatchelSize(owner: "new")) { self.size = size }
}

/// Has satchels, one of them in a relationship of its own.
@Model final class SatchelBag {
  @Relationship(inverse: \Satchel.bag) var satchel: Satchel?
  @Relationship(inverse: \Satchel.bags) var others: [Satchel] = []
  @Relationship(inverse: \Satchel.wearers) var worn: Satchel?

  init() {}
}

/// Has parts in columns of their own, counts how often it is encoded, and cannot be with a negative width.
struct SatchelSize: Codable, Equatable {
  struct TooSmall: Error {}

  /// How often values of an owner were encoded.
  static func count(_ owner: String) -> Int { counts.withLock { $0[owner, default: 0] } }
  private static let counts = Mutex<[String: Int]>([:])

  var owner: String
  var width = 1

  init(owner: String, width: Int = 1) {
    self.owner = owner
    self.width = width
  }

  private enum CodingKeys: CodingKey { case owner, width }

  func encode(to encoder: any Encoder) throws {
    Self.counts.withLock { $0[owner, default: 0] += 1 }
    if width < 0 { throw TooSmall() }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(owner, forKey: .owner)
    try values.encode(width, forKey: .width)
  }
}

/// Is written in small letters.
struct SatchelTag: Codable, Equatable {
  var text: String

  init(_ text: String) { self.text = text }
  init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }
  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(text.lowercased())
  }
}

/// Has more of its own kind in it.
struct SatchelTree: Codable, Equatable {
  var name: String
  var branches: [SatchelTree] = []
}

/// Has anything in it that has a number, as an instance that others may change.
struct SatchelExtra: Codable {
  final class Box {
    var number: Int
    init(_ number: Int) { self.number = number }
  }

  var held: Any

  init(_ held: Any) { self.held = held }
  init(from decoder: any Decoder) throws {
    held = try decoder.singleValueContainer().decode(Int.self)
  }
  func encode(to encoder: any Encoder) throws {
    if held is String { throw SatchelSize.TooSmall() }
    var value = encoder.singleValueContainer()
    try value.encode(number)
  }

  var number: Int { held as? Int ?? (held as? Box)?.number ?? -1 }
}

@Suite("Values that are encoded when they are needed")
struct UnencodedValueTests {
  let container: ModelContainer
  let context: ModelContext
  let satchel = Satchel(SatchelSize(owner: "saved"))

  init() throws {
    container = try memory(Satchel.self, SatchelBag.self)
    context = ModelContext(container)
    context.insert(satchel)
    try context.save()
  }

  private func saved() throws -> Satchel {
    try #require(try ModelContext(container).fetch(FetchDescriptor<Satchel>()).first)
  }

  @Test func `what is set again and again is encoded once, by the save`() throws {
    for width in 1...5 { satchel.size = SatchelSize(owner: "often", width: width) }
    satchel.other = SatchelSize(owner: "often", width: 6)
    satchel.number = 7
    #expect(SatchelSize.count("often") == 0)
    try context.save()
    #expect(SatchelSize.count("often") == 2)
    let saved = try saved()
    #expect([saved.size.width, saved.other?.width, saved.number] == [5, 6, 7])
  }

  @Test func `what is read is what was encoded, not what was set`() throws {
    satchel.tags = [SatchelTag("Red")]
    #expect(satchel.tags.map(\.text) == ["red"])
    satchel.tags = [SatchelTag("Blue")]
    try context.save()
    #expect(satchel.tags.map(\.text) == ["blue"])
    #expect(try saved().tags.map(\.text) == ["blue"])
  }

  @Test func `what is rolled back is not encoded, and nothing is said of it`() throws {
    satchel.size = SatchelSize(owner: "dropped", width: -1)
    context.rollback()
    #expect(SatchelSize.count("dropped") == 0)
    let new = Satchel(SatchelSize(owner: "dropped", width: -1))
    context.insert(new)
    satchel.size = SatchelSize(owner: "dropped", width: -1)
    // Nothing was encoded, so something else stands there.
    #expect(satchel.size.width == 0)
    context.rollback()
    #expect(new.size.width == 0)
    satchel.number = 1
    try context.save()
    #expect(satchel.size == SatchelSize(owner: "saved"))
  }

  @Test func `a save is refused for as long as something cannot be encoded`() throws {
    satchel.other = SatchelSize(owner: "stays", width: -1)
    satchel.number = 1
    for _ in 1...2 {
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .unwritableValue)
      #expect(error?.subject == "Satchel.other")
      #expect(satchel.other == nil)
    }
    satchel.other = nil
    try context.save()
    #expect(try saved().number == 1)
  }

  @Test func `what cannot be encoded is not forgotten by a deletion that is taken back`() throws {
    let new = Satchel(SatchelSize(owner: "new"))
    context.insert(new)
    new.other = SatchelSize(owner: "back", width: -1)
    context.delete(new)
    context.insert(new)
    #expect(throws: StoreError.self) { try context.save() }
    context.rollback()
    context.insert(new)
    #expect(throws: StoreError.self) { try context.save() }
    new.other = SatchelSize(owner: "back", width: 2)
    try context.save()
    #expect(new.other?.width == 2)
  }

  @Test func `what cannot be encoded keeps nobody from deleting the model`() throws {
    satchel.size = SatchelSize(owner: "gone", width: -1)
    context.delete(satchel)
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Satchel>()) == 0)
  }

  @Test func `what cannot be encoded at once keeps a model from being saved, too`() throws {
    satchel.extra = SatchelExtra(1)
    try context.save()
    satchel.extra = SatchelExtra("no number")
    #expect(context.hasChanges)
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.subject == "Satchel.extra")
    #expect(throws: StoreError.self) { try context.save() }
    context.rollback()
    satchel.number = 1
    try context.save()
    #expect(try saved().extra.number == 1)
  }

  @Test(arguments: [false, true])
  func `what is undone and could not be encoded keeps nobody from saving`(isRead: Bool) throws {
    let undo = UndoManager()
    context.undoManager = undo
    undo.beginUndoGrouping()
    satchel.other = SatchelSize(owner: "undone", width: -1)
    satchel.list = [SatchelSize(owner: "undone", width: -1)]
    satchel.extra = SatchelExtra("no number")
    satchel.number = 1
    if isRead { #expect(satchel.other == nil && satchel.list.isEmpty) }
    undo.endUndoGrouping()
    undo.undo()
    satchel.number = 2
    try context.save()
    #expect(try saved().number == 2)
  }

  @Test func `undo and redo leave no refusal with a value that was not refused`() throws {
    let undo = UndoManager()
    context.undoManager = undo
    for width in [-1, 2] {
      undo.beginUndoGrouping()
      satchel.size = SatchelSize(owner: "of \(width)", width: width)
      undo.endUndoGrouping()
    }
    undo.undo()
    #expect(context.problems.count == 1)
    undo.redo()
    try context.save()
    #expect(satchel.size == SatchelSize(owner: "of 2", width: 2))
    undo.undo()
    undo.undo()
    undo.redo()
    #expect(context.problems.count == 1)
    undo.undo()
    try context.save()
    #expect(satchel.size == SatchelSize(owner: "saved"))
  }

  @Test(arguments: [false, true])
  func `what could not be encoded is so again once it is redone, or its deletion is undone`(
    isRead: Bool
  ) throws {
    let undo = UndoManager()
    context.undoManager = undo
    func group(_ change: () -> Void) {
      undo.beginUndoGrouping()
      change()
      undo.endUndoGrouping()
    }
    func expectRefusal(_ count: Int) {
      #expect(context.problems.map(\.code) == Array(repeating: .unwritableValue, count: count))
      #expect(throws: StoreError.self) { try context.save() }
    }
    group {
      satchel.other = SatchelSize(owner: "redone", width: -1)
      satchel.list = [SatchelSize(owner: "redone", width: -1)]
      satchel.extra = SatchelExtra("no number")
    }
    if isRead { #expect(satchel.other == nil && satchel.list.isEmpty) }
    group { context.delete(satchel) }
    #expect(context.problems.isEmpty)
    undo.undo()
    expectRefusal(3)
    undo.undo()
    #expect(context.problems.isEmpty)
    undo.redo()
    expectRefusal(3)
    group { satchel.other = SatchelSize(owner: "redone", width: 2) }
    expectRefusal(2)
    undo.undo()
    expectRefusal(3)
    satchel.other = nil
    satchel.list = []
    satchel.extra = SatchelExtra(3)
    try context.save()
    #expect(try saved().extra.number == 3)
  }

  @Test func `a save tells what cannot be encoded, and not what was set over`() throws {
    satchel.size = SatchelSize(owner: "small", width: -1)
    satchel.size = SatchelSize(owner: "small", width: 2)
    try context.save()
    satchel.size = SatchelSize(owner: "small", width: -1)
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .unwritableValue)
    #expect(error?.subject == "Satchel.size")
    satchel.size = SatchelSize(owner: "small", width: 3)
    try context.save()
    #expect(try saved().size.width == 3)
  }

  @Test func `the problems of a context have what cannot be encoded`() {
    satchel.size = SatchelSize(owner: "told", width: -1)
    #expect(context.problems.map(\.subject) == ["Satchel.size"])
    satchel.size = SatchelSize(owner: "told", width: 1)
    #expect(context.problems.isEmpty)
  }

  @Test func `a new model that was mended before it is inserted is saved`() throws {
    let new = Satchel(SatchelSize(owner: "mended", width: -1))
    #expect(new.size.width != -1)
    new.size = SatchelSize(owner: "mended", width: 4)
    context.insert(new)
    try context.save()
    #expect(new.size.width == 4)
  }

  @Test func `a batch takes what its models were set to`() throws {
    let new = Satchel()
    new.size = SatchelSize(owner: "batch", width: 8)
    new.label = Data([8])
    #expect(try context.insertBatch([new]) == 1)
    let wide = #Predicate<Satchel> { $0.size.width == 8 }
    let found = try ModelContext(container).fetch(FetchDescriptor(predicate: wide))
    #expect(found.map(\.label) == [Data([8])])
  }

  @Test func `a fetch before the save finds it by a part of what was set`() throws {
    let wide = FetchDescriptor<Satchel>(predicate: #Predicate { $0.size.width == 9 })
    #expect(try context.fetchCount(wide) == 0)
    satchel.size = SatchelSize(owner: "fetched", width: 9)
    let new = Satchel(SatchelSize(owner: "fetched", width: 9))
    context.insert(new)
    #expect(Set(try context.fetch(wide).map(\.persistentModelID)).count == 2)
  }

  @Test func `undo goes back by what was set in each group`() throws {
    let undo = UndoManager()
    context.undoManager = undo
    for width in [2, 3] {
      undo.beginUndoGrouping()
      satchel.size = SatchelSize(owner: "undone", width: width - 5)
      satchel.size = SatchelSize(owner: "undone", width: width)
      satchel.label = Data([UInt8(width)])
      undo.endUndoGrouping()
    }
    func shown() -> [Int] { [satchel.size.width, satchel.label.first.map(Int.init) ?? 0] }
    undo.undo()
    #expect(shown() == [2, 2])
    undo.undo()
    #expect(shown() == [1, 0])
    undo.redo()
    undo.redo()
    #expect(shown() == [3, 3])
    try context.save()
    #expect(try saved().size.width == 3)
  }

  @Test func `a part that is set by its name is set in what was set before`() throws {
    satchel.size = SatchelSize(owner: "parted", width: 5)
    try satchel.managedObject.setValue("size.width", .integer(6))
    #expect(satchel.size == SatchelSize(owner: "parted", width: 6))
    satchel.size = SatchelSize(owner: "parted", width: 7)
    #expect(try satchel.managedObject.value("size.width") == .integer(7))
    #expect(satchel.managedObject.changedProperties == ["size.owner", "size.width"])
  }

  @Test func `to relate models encodes neither`() throws {
    let bag = SatchelBag()
    context.insert(bag)
    satchel.size = SatchelSize(owner: "related", width: 2)
    bag.satchel = satchel
    bag.worn = satchel
    bag.others = [Satchel(SatchelSize(owner: "related", width: 3))]
    #expect(bag.satchel === satchel)
    #expect(satchel.bag === bag)
    #expect(satchel.wearers == [bag])
    #expect(bag.others.count == 1)
    #expect(SatchelSize.count("related") == 0)
    try context.save()
    #expect(SatchelSize.count("related") == 2)
  }

  @Test func `texts and numbers that were set are read as they are, without being encoded`() throws
  {
    var words: [String] = []
    for number in 1...3 {
      satchel.words.append("w\(number)")
      words.append("w\(number)")
      #expect(satchel.words == words)
    }
    #expect(satchel.managedObject.hasUnencoded)
    satchel.size = SatchelSize(owner: "in place")
    satchel.size.width += 1
    try context.save()
    let saved = try saved()
    #expect(saved.words == words)
    #expect(saved.size.width == 2)
  }

  @Test func `data begins at 0 whatever it was cut from`() throws {
    let whole = Data([1, 2, 3, 4])
    for part in [whole.dropFirst(2), whole.prefix(2), whole[1...2]] {
      satchel.label = part
      #expect(satchel.label.startIndex == 0)
      #expect(satchel.label == Data(part))
      try context.save()
      #expect(satchel.label.startIndex == 0)
      #expect(try saved().label == Data(part))
    }
  }

  @Test func `data in a list begins at 0 as well, before it is saved and after`() throws {
    satchel.chunks = [Data([1, 2, 3]).dropFirst()]
    #expect(satchel.chunks.map(\.startIndex) == [0])
    try context.save()
    #expect(satchel.chunks.map(\.startIndex) == [0])
  }

  @Test func `data that was set is held until it is saved, set over, or rolled back`() throws {
    let frees = Mutex(0)
    func data() -> Data {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 1000, alignment: 1)
      memory.initializeMemory(as: UInt8.self, repeating: 7, count: 1000)
      return Data(
        bytesNoCopy: memory, count: 1000,
        deallocator: .custom { pointer, _ in
          pointer.deallocate()
          frees.withLock { $0 += 1 }
        })
    }
    func count() -> Int { frees.withLock { $0 } }
    satchel.label = data()
    #expect(count() == 0)
    satchel.label = data()
    #expect(count() == 1)
    context.rollback()
    #expect(count() == 2)
    satchel.label = data()
    #expect(satchel.label == Data(repeating: 7, count: 1000))
    #expect(count() == 2)
    try context.save()
    #expect(count() == 3)
    Satchel().label = data()
    #expect(count() == 4)
  }

  @Test func `data that is changed after it was set is the model's as it was set`() throws {
    var data = Data(repeating: 1, count: 100)
    satchel.label = data
    data[0] = 2
    #expect(satchel.label.prefix(2) == Data([1, 1]))
    var long = Data(repeating: 3, count: 100_000)
    satchel.label = long
    long[0] = 4
    try context.save()
    #expect(try saved().label.prefix(2) == Data([3, 3]))
  }

  @Test func `what may hold an instance is encoded when it is set`() throws {
    let box = SatchelExtra.Box(1)
    satchel.extra = SatchelExtra(5)
    satchel.extra = SatchelExtra(box)
    box.number = 2
    try context.save()
    #expect(try saved().extra.number == 1)
  }

  @Test func `a value of a type that has its own kind in it is saved`() throws {
    let tree = SatchelTree(name: "a", branches: [SatchelTree(name: "b"), SatchelTree(name: "c")])
    satchel.tree = tree
    try context.save()
    #expect(try saved().tree == tree)
  }

  @Test func `a deleted model is deleted with what it was set to, and shows it`() throws {
    satchel.size = SatchelSize(owner: "deleted", width: 5)
    context.delete(satchel)
    satchel.label = Data([5])
    context.insert(satchel)
    try context.save()
    #expect(try saved().size.width == 5)
    context.delete(satchel)
    try context.save()
    #expect(satchel.size.width == 5)
    #expect(satchel.label == Data([5]))
  }

  @Test func `what was set elsewhere to another part stands beside what was set here`() throws {
    satchel.label = Data([1])
    let other = ModelContext(container)
    let same = try #require(try other.fetch(FetchDescriptor<Satchel>()).first)
    same.tags = [SatchelTag("there")]
    try other.save()
    try context.save()
    let saved = try saved()
    #expect(saved.label == Data([1]))
    #expect(saved.tags.map(\.text) == ["there"])
  }
}
