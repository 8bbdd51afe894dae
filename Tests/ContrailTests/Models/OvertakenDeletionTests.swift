import Contrail
import Testing

/// What a firm is to those who work there differs by the relationship.
@Model final class Firm {
  var name: String
  @Relationship(inverse: \Worker.firm) var hands: [Worker] = []
  @Relationship(deleteRule: .cascade, inverse: \WorkDesk.firm) var desks: [WorkDesk] = []
  @Relationship(inverse: \FirmPermit.firm) var permits: [FirmPermit] = []

  init(_ name: String) { self.name = name }
}

@Model final class Worker {
  var name: String
  var firm: Firm?

  init(_ name: String) { self.name = name }
}

@Model final class WorkDesk {
  var number: Int
  var firm: Firm?
  @Relationship(deleteRule: .cascade, inverse: \DeskLight.desk) var lamp: DeskLight?

  init(_ number: Int) { self.number = number }
}

@Model final class DeskLight {
  var watts: Int
  var desk: WorkDesk?

  init(_ watts: Int) { self.watts = watts }
}

/// Is nobody's at no time.
@Model final class FirmPermit {
  var code: String
  var firm: Firm

  init(_ code: String, of firm: Firm) {
    self.code = code
    self.firm = firm
  }
}

@Suite("Deletions that others have overtaken")
struct OvertakenDeletionTests {
  let container: ModelContainer
  let (ours, others): (ModelContext, ModelContext)
  /// The firm that is to be deleted, as the others have it.
  let firm = Firm("gone")

  init() throws {
    container = try memory(Firm.self)
    (ours, others) = (ModelContext(container), ModelContext(container))
    others.insert(firm)
    others.insert(Firm("stays"))
    try others.save()
    let mine = try #require(
      try ours.fetch(FetchDescriptor<Firm>(predicate: #Predicate { $0.name == "gone" })).first)
    ours.delete(mine)
  }

  /// What a new context finds.
  private func found() throws -> [String] {
    let context = ModelContext(container)
    let firms = try context.fetch(FetchDescriptor<Firm>()).map(\.name)
    let hands = try context.fetch(FetchDescriptor<Worker>()).map {
      "\($0.name) \($0.firm?.name ?? "-")"
    }
    let desks = try context.fetch(FetchDescriptor<WorkDesk>()).map {
      "\($0.number) \($0.firm?.name ?? "-")"
    }
    let lamps = try context.fetch(FetchDescriptor<DeskLight>()).map { "\($0.watts)" }
    return (firms + hands + desks + lamps).sorted()
  }

  @Test(arguments: [false, true])
  func `who was related to it meanwhile is related to nobody`(isReceived: Bool) throws {
    let ann = Worker("Ann")
    others.insert(ann)
    ann.firm = firm
    try others.save()
    let mine = isReceived ? try ours.fetch(FetchDescriptor<Worker>()).first : nil
    try ours.save()
    #expect(try found() == ["Ann -", "stays"])
    #expect(mine?.firm == nil)
    _ = try others.fetch(FetchDescriptor<Worker>())
    #expect(ann.firm == nil)
    let query = FetchDescriptor<Worker>(predicate: #Predicate { $0.firm != nil })
    #expect(try ours.fetchCount(query) == 0)
  }

  @Test func `who was to go with it goes, with all that goes with that`() throws {
    let desk = WorkDesk(1)
    others.insert(desk)
    desk.lamp = DeskLight(40)
    desk.firm = firm
    try others.save()
    try ours.save()
    #expect(try found() == ["stays"])
    _ = try others.fetch(FetchDescriptor<WorkDesk>())
    #expect(desk.isDeleted)
  }

  @Test func `who has to be related to it keeps it from being deleted`() throws {
    others.insert(FirmPermit("P1", of: firm))
    try others.save()
    let error = #expect(throws: StoreError.self) { try ours.save() }
    #expect(error?.code == .missingValue)
    #expect(error?.subject == "FirmPermit.firm")
    #expect(try found() == ["gone", "stays"])
    ours.rollback()
    #expect(!ours.hasChanges)
  }

  @Test func `history tells who is related to nobody since`() throws {
    let ann = Worker("Ann")
    others.insert(ann)
    ann.firm = firm
    try others.save()
    ours.author = "ours"
    try ours.save()
    let author = "ours"
    let history = try ours.fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == author }))
    let changes = history.flatMap(\.changes).map { change -> String in
      switch change {
      case .insert: "insert"
      case .update(let update):
        "update \((update as? DefaultHistoryUpdate<Worker>)?.updatedPropertyNames ?? [])"
      case .delete(let delete): "delete \(delete.changedPersistentIdentifier.entityName)"
      }
    }
    #expect(changes.sorted() == ["delete Firm", "update [\"firm\"]"])
  }
}

/// Has what goes with it, where it is not taken out before.
@Model final class PictureFrame {
  var number: Int
  @Relationship(deleteRule: .cascade, inverse: \EtchedPrint.frame) var etching: EtchedPrint?
  @Relationship(deleteRule: .cascade, inverse: nil) var hook: WallHook?
  @Relationship(deleteRule: .cascade, inverse: \FrameVisitor.frames) var visitors: [FrameVisitor] =
    []

  init(_ number: Int) { self.number = number }
}

@Model final class EtchedPrint {
  var title = "etching"
  var frame: PictureFrame?

  init() {}
}

@Model final class WallHook {
  var size = 1

  init() {}
}

@Model final class FrameVisitor {
  var name = "visitor"
  var frames: [PictureFrame] = []

  init() {}
}

@Suite("What was taken out before a deletion that others have overtaken")
struct SparedTests {
  let container: ModelContainer
  let context: ModelContext
  let frame = PictureFrame(1)
  let etching = EtchedPrint()
  let hook = WallHook()
  let visitor = FrameVisitor()

  init() throws {
    container = try memory(PictureFrame.self, WallHook.self)
    context = ModelContext(container)
    context.insert(frame)
    frame.etching = etching
    frame.hook = hook
    frame.visitors = [visitor]
    try context.save()
  }

  /// Saves after somebody else has saved something that has nothing to do with it.
  private func saveOvertaken() throws -> String {
    let other = ModelContext(container)
    other.insert(PictureFrame(9))
    try other.save()
    try context.save()
    let (frames, etchings) = (FetchDescriptor<PictureFrame>(), FetchDescriptor<EtchedPrint>())
    let (hooks, visitors) = (FetchDescriptor<WallHook>(), FetchDescriptor<FrameVisitor>())
    let reader = ModelContext(container)
    return try "\(reader.fetch(frames).map(\.number).sorted()) "
      + "\(reader.fetch(etchings).map { $0.frame?.number ?? 0 }) "
      + "\(reader.fetch(hooks).count) \(reader.fetch(visitors).map { $0.frames.map(\.number) })"
  }

  @Test func `what was not taken out goes with it`() throws {
    context.delete(frame)
    #expect(try saveOvertaken() == "[9] [] 0 []")
  }

  @Test func `what was taken out stays`() throws {
    frame.etching = nil
    frame.hook = nil
    frame.visitors = []
    context.delete(frame)
    #expect(try saveOvertaken() == "[9] [0] 1 [[]]")
  }

  @Test func `what was given to another one stays there`() throws {
    let next = PictureFrame(2)
    context.insert(next)
    next.etching = etching
    next.hook = hook
    next.visitors = [visitor]
    frame.hook = nil
    frame.visitors = []
    context.delete(frame)
    #expect(try saveOvertaken() == "[2, 9] [2] 1 [[2]]")
  }

  @Test func `what was brought back stays`() throws {
    context.delete(frame)
    context.insert(etching)
    context.insert(hook)
    context.insert(visitor)
    #expect(try saveOvertaken() == "[9] [0] 1 [[]]")
  }
}

@Suite("Edits of what is deleted")
struct VainEditTests {
  @Test func `an edit of what others have deleted is an error of the next save, and no other`()
    throws
  {
    let container = try memory(Letter.self, Reader.self)
    let (context, other) = (ModelContext(container), ModelContext(container))
    let letter = Letter("hello")
    context.insert(letter)
    try context.save()
    try other.delete(model: Letter.self)
    try other.save()
    context.processPendingChanges()
    #expect(letter.isDeleted)
    letter.text = "edited"
    letter.text = "edited again"
    context.insert(Reader("Ann"))
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(
      error?.description
        == "Letter.text: was set in an object that is deleted, and is not saved [deletedObject]; "
        + "look at isDeleted before, or insert it again")
    try context.save()
    #expect(context.problems == [])
    #expect(try other.fetchCount(FetchDescriptor<Reader>()) == 1)
    #expect(try other.fetchCount(FetchDescriptor<Letter>()) == 0)
    letter.text = "once more"
    #expect(throws: StoreError.self) { try context.save() }
  }

  @Test func `to insert one again says nothing about the edit of another`() throws {
    let context = ModelContext(try memory(Letter.self, Reader.self))
    let letters = ["one", "two"].map { Letter($0) }
    for letter in letters { context.insert(letter) }
    try context.save()
    for letter in letters { context.delete(letter) }
    try context.save()
    for letter in letters { letter.text += "!" }
    context.insert(letters[0])
    #expect(throws: StoreError.self) { try context.save() }
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Letter>()).map(\.text) == ["one!"])
    // What was told is not told again.
    letters[1].text += "?"
    context.insert(letters[1])
    try context.save()
    let texts = try context.fetch(FetchDescriptor<Letter>()).map(\.text)
    #expect(texts.sorted() == ["one!", "two!?"])
  }
}

@Suite("References without an inverse")
struct LooseReferenceTests {
  let container: ModelContainer
  let context: ModelContext
  let letter = Letter("hello")
  let reader = Reader("Ann")

  init() throws {
    container = try memory(Letter.self, Reader.self)
    context = ModelContext(container)
    context.insert(letter)
    context.insert(reader)
    letter.writer = reader
    try context.save()
  }

  /// What a new context finds, and how many letters have a writer.
  private func found() throws -> String {
    let other = ModelContext(container)
    let letters = try other.fetch(FetchDescriptor<Letter>()).map {
      "\($0.text) \($0.writer?.name ?? "-")"
    }
    let query = FetchDescriptor<Letter>(predicate: #Predicate { $0.writer != nil })
    return "\(letters) \(try other.fetchCount(query))"
  }

  @Test(arguments: [false, true])
  func `who is deleted is referred to by nobody`(isBatch: Bool) throws {
    #expect(try found() == #"["hello Ann"] 1"#)
    if isBatch { try context.delete(model: Reader.self) } else { context.delete(reader) }
    try context.save()
    #expect(letter.writer == nil)
    #expect(try found() == #"["hello -"] 0"#)
    letter.text = "again"
    context.mergePolicy = .error
    try context.save()
    #expect(try found() == #"["again -"] 0"#)
  }

  @Test func `what is related to somebody who was deleted meanwhile is saved without`() throws {
    let other = ModelContext(container)
    let mine = try #require(try other.fetch(FetchDescriptor<Reader>()).first)
    let answer = Letter("answer")
    other.insert(answer)
    answer.writer = mine
    context.delete(letter)
    context.delete(reader)
    try context.save()
    try other.save()
    #expect(answer.writer == nil)
    #expect(try found() == #"["answer -"] 0"#)
  }
}
