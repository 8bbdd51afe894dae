import Contrail
import Foundation
import Testing

@Suite("References to what others have deleted")
struct GoneReferenceTests {
  let folder: TemporaryFolder
  let url: URL
  /// Two programs that have the same file.
  let (near, far): (ModelContext, ModelContext)
  let ann = Worker("Ann")
  let firm: Firm

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("firms.store")
    far = try Self.program(url)
    let made = Firm("old")
    far.insert(made)
    try far.save()
    near = try Self.program(url)
    firm = try #require(near.model(for: made.persistentModelID) as? Firm)
    near.insert(ann)
  }

  private static func program(_ url: URL) throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Firm.self, Letter.self, configurations: ModelConfiguration(url: url)))
  }

  /// Has near read the firm anew when it is used next.
  private func renameFar() throws {
    try #require(try far.fetch(FetchDescriptor<Firm>()).first).name = "renamed"
    try far.save()
    _ = try near.fetchCount(FetchDescriptor<Firm>())
  }

  private func deleteFar() throws {
    for firm in try far.fetch(FetchDescriptor<Firm>()) { far.delete(firm) }
    try far.save()
  }

  /// The firms that are there, and how many workers have one, whether or not that is there.
  private func found() throws -> String {
    let firms = try far.fetch(FetchDescriptor<Firm>()).map(\.name)
    let query = FetchDescriptor<Worker>(predicate: #Predicate { $0.firm != nil })
    return try "\(firms) \(far.fetchCount(query))"
  }

  @Test func `what only reading has found gone is nobody's`() throws {
    ann.firm = firm
    try renameFar()
    try deleteFar()
    #expect(firm.name == "old")
    #expect(near.problems.map(\.code) == [.missingObject])
    try near.save()
    #expect(try found() == "[] 0")
    #expect(ann.firm == nil)
  }

  @Test(arguments: [
    (MergePolicyName.rollback, "[] 0"), (.storeTrump, "[] 0"), (.objectTrump, #"["new"] 1"#),
    (.overwrite, #"["new"] 1"#),
  ])
  func `what was edited and is lost is nobody's, and what is made anew is theirs`(
    policy: MergePolicyName, expected: String
  ) throws {
    near.mergePolicy = policy.policy
    firm.name = "new"
    ann.firm = firm
    try deleteFar()
    try near.save()
    #expect(try found() == expected)
    #expect((ann.firm != nil) == (expected != "[] 0"))
  }

  @Test func `an edit that changes nothing does not make it anew`() throws {
    firm.name = "old"
    ann.firm = firm
    try deleteFar()
    try near.save()
    #expect(try found() == "[] 0")
    #expect(ann.firm == nil)
  }

  @Test func `a save within reading refers to nobody who is gone by then`() throws {
    _ = firm.name
    try near.reading {
      ann.firm = firm
      try deleteFar()
      try near.save()
    }
    #expect(try found() == "[] 0")
    #expect(ann.firm == nil)
  }

  @Test func `a new look at what only reading has found gone does not bring it back`() throws {
    ann.firm = firm
    try renameFar()
    try deleteFar()
    #expect(firm.name == "old")
    _ = try near.fetchCount(FetchDescriptor<Worker>())
    _ = ann.firm
    try near.save()
    #expect(try found() == "[] 0")
    #expect(ann.firm == nil)
  }

  @Test func `what was made anew meanwhile is theirs`() throws {
    let third = try Self.program(url)
    let theirs = try #require(try third.fetch(FetchDescriptor<Firm>()).first)
    ann.firm = firm
    try renameFar()
    try deleteFar()
    #expect(firm.name == "old")
    theirs.name = "back"
    try third.save()
    try near.save()
    #expect(try found() == #"["back"] 1"#)
    #expect(ann.firm?.name == "back")
  }

  @Test(arguments: [false, true])
  func `what is written whole refers to nobody who is gone`(isOverwritten: Bool) throws {
    let bob = Worker("Bob")
    near.insert(bob)
    bob.firm = firm
    try near.save()
    if isOverwritten {
      near.mergePolicy = .overwrite
    } else {
      for worker in try far.fetch(FetchDescriptor<Worker>()) where worker.name == "Bob" {
        far.delete(worker)
      }
      try far.save()
    }
    bob.name = "Rob"
    try deleteFar()
    try near.save()
    #expect(try found() == "[] 0")
    #expect(try far.fetch(FetchDescriptor<Worker>()).map(\.name).sorted() == ["Ann", "Rob"])
  }

  @Test(arguments: [(MergePolicyName.objectTrump, "old"), (.rollback, "new")])
  func `within reading, what is edited and lost is nobody's`(
    policy: MergePolicyName, name: String
  ) throws {
    near.mergePolicy = policy.policy
    _ = firm.name
    try near.reading {
      firm.name = name
      ann.firm = firm
      try deleteFar()
      try near.save()
    }
    #expect(try found() == "[] 0")
  }

  @Test func `a save that fails takes nothing away`() throws {
    firm.name = "old"
    ann.firm = firm
    try deleteFar()
    let denied = FirmPermit("P", of: firm)
    near.insert(denied)
    let error = #expect(throws: StoreError.self) { try near.save() }
    #expect(
      error?.description
        == "FirmPermit.firm: leads to an object that others have deleted, and must lead to one "
        + "[missingValue]; give it another one, or delete this object, too")
    #expect(ann.firm === firm && denied.firm === firm)
    firm.name = "new"
    try near.save()
    #expect(try found() == #"["new"] 1"#)
    #expect(try far.fetch(FetchDescriptor<FirmPermit>()).map(\.firm.name) == ["new"])
  }

  @Test func `who has nothing left to be written is nobody's, either`() throws {
    let theirs = WorkDesk(1)
    far.insert(theirs)
    try far.save()
    let desk = try #require(near.model(for: theirs.persistentModelID) as? WorkDesk)
    #expect(desk.number == 1)
    firm.name = "old"
    desk.firm = firm
    let lamp = DeskLight(5)
    near.insert(lamp)
    lamp.desk = desk
    far.delete(theirs)
    try deleteFar()
    try near.save()
    let lit = FetchDescriptor<DeskLight>(predicate: #Predicate { $0.desk != nil })
    #expect(try far.fetchCount(lit) == 0)
    #expect(try far.fetchCount(FetchDescriptor<WorkDesk>()) == 0)
  }

  @Test(arguments: [false, true])
  func `who was deleted long ago, and not read, is nobody's`(isInsertedFirst: Bool) throws {
    let reader = Reader("Bea")
    far.insert(reader)
    try far.save()
    let identity = reader.persistentModelID
    far.delete(reader)
    try far.save()
    _ = try near.fetchCount(FetchDescriptor<Reader>())
    let letter = Letter("hello")
    if isInsertedFirst { near.insert(letter) }
    letter.writer = near.model(for: identity) as? Reader
    #expect(letter.modelContext === near)
    try near.save()
    let written = FetchDescriptor<Letter>(predicate: #Predicate { $0.writer != nil })
    #expect(try far.fetchCount(written) == 0)
    #expect(letter.writer == nil)
  }

  @Test func `who must have one is refused within reading, too, and saved once there is another`()
    throws
  {
    _ = firm.name
    let permit = FirmPermit("P", of: firm)
    near.insert(permit)
    let error = #expect(throws: StoreError.self) {
      try near.reading {
        try deleteFar()
        try near.save()
      }
    }
    #expect(error?.code == .missingValue)
    let other = Firm("other")
    near.insert(other)
    permit.firm = other
    try near.save()
    #expect(try found() == #"["other"] 0"#)
    #expect(try far.fetch(FetchDescriptor<FirmPermit>()).map(\.firm.name) == ["other"])
  }
}

/// A merge policy by a name that a test shows.
enum MergePolicyName: Sendable {
  case rollback, storeTrump, objectTrump, overwrite

  var policy: ModelContext.MergePolicy {
    switch self {
    case .rollback: .rollback
    case .storeTrump: .mergeByPropertyStoreTrump
    case .objectTrump: .mergeByPropertyObjectTrump
    case .overwrite: .overwrite
    }
  }
}
