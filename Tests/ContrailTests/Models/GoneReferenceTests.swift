import Contrail
import Testing

@Suite("References to what others have deleted")
struct GoneReferenceTests {
  let folder: TemporaryFolder
  /// Two programs that have the same file.
  let (near, far): (ModelContext, ModelContext)
  let ann = Worker("Ann")
  let firm: Firm

  init() throws {
    folder = try TemporaryFolder()
    let url = folder.file("firms.store")
    func program() throws -> ModelContext {
      ModelContext(try ModelContainer(for: Firm.self, configurations: ModelConfiguration(url: url)))
    }
    far = try program()
    let made = Firm("old")
    far.insert(made)
    try far.save()
    near = try program()
    firm = try #require(near.model(for: made.persistentModelID) as? Firm)
    near.insert(ann)
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
    let theirs = try #require(try far.fetch(FetchDescriptor<Firm>()).first)
    theirs.name = "renamed"
    try far.save()
    // Is to be read again.
    _ = try near.fetchCount(FetchDescriptor<Firm>())
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
