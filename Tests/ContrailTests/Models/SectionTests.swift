import Contrail
import Testing

/// Something that may have a tag.
@Model final class Tagged {
  var number: Int
  var tag: String?

  init(_ number: Int, _ tag: String?) {
    self.number = number
    self.tag = tag
  }
}

@Suite("Sections")
@MainActor
struct SectionTests {
  private func observer(
    _ tags: [String?], sortBy: [SortDescriptor<Tagged>] = [SortDescriptor(\.number)]
  ) throws -> ResultsObserver<Tagged, String> {
    let context = try memory(Tagged.self).mainContext
    for (number, tag) in tags.enumerated() { context.insert(Tagged(number, tag)) }
    try context.save()
    return try ResultsObserver(sortBy: sortBy, sectionBy: \.tag, modelContext: context)
  }

  /// The sections as texts: "title: numbers".
  private func shown(_ observer: ResultsObserver<Tagged, String>) throws -> [String] {
    try #require(observer.sections).map { section in
      "\(section.title): " + section.map { String($0.number) }.joined(separator: " ")
    }
  }

  @Test func `models without a text are in one section with those whose text is empty`() throws {
    let observer = try observer(["b", nil, "a", "", nil, "b"])
    #expect(try shown(observer) == [": 1 4 3", "a: 2", "b: 0 5"])
  }

  @Test func `another order keeps the sections in one piece, and none asked for are none`() throws {
    let observer = try observer(["b", nil, "a", "b"])
    observer.sortBy = [SortDescriptor(\.number, order: .reverse)]
    #expect(try shown(observer) == [": 1", "a: 2", "b: 3 0"])
    observer.sectionBy = nil
    #expect(observer.sections == nil)
    #expect(observer.results.map(\.number) == [3, 2, 1, 0])
  }

  @Test func `a save of a new model changes neither its sections nor its place in what was seen`()
    throws
  {
    let observer = try observer(["b", "a"])
    let context = try #require(observer.modelContext)
    let new = Tagged(2, "a")
    context.insert(new)
    let before = try #require(observer.sections)
    try context.save()
    #expect(observer.sections == before)
    #expect(before.map { $0.map(\.number) } == [[1, 2], [0]])
    new.tag = "b"
    try context.save()
    #expect(observer.sections != before)
  }

  @Test func `a section is found by its title`() throws {
    let sections = try #require(try observer(["b", "a", "b", nil]).sections)
    #expect(sections.sectionTitles == ["", "a", "b"])
    #expect(sections.index(ofSectionTitled: "b") == 2)
    #expect(sections[sectionTitle: "b"]?.map(\.number) == [0, 2])
    #expect(sections.contains(sectionTitle: "a"))
    #expect(!sections.contains(sectionTitle: "c"))
    #expect(sections[sectionTitle: "c"] == nil)
  }

  @Test func `a model is found by its path, and a path by its model`() throws {
    let observer = try observer(["b", "a", "b"])
    let last = try #require(observer.element(at: [1, 1]))
    #expect(last.number == 2)
    #expect(observer.indexPath(for: last) == [1, 1])
    for path in [[2, 0], [1, 2], [-1, 0], [0], [0, 0, 0]] as [IndexPath] {
      #expect(observer.element(at: path) == nil)
    }
    #expect(observer.indexPath(for: Tagged(9, "b")) == nil)
    observer.sectionBy = nil
    #expect(observer.indexPath(for: last) == nil)
    #expect(observer.element(at: [1, 1]) == nil)
  }

  @Test func `sections are equal while they hold the same models, whatever these have`() throws {
    let observer = try observer(["b", "a"])
    let first = try #require(observer.sections)
    first[0][0].number = 7
    try observer.modelContext?.save()
    #expect(try #require(observer.sections) == first)
    observer.modelContext?.insert(Tagged(8, "a"))
    try observer.modelContext?.save()
    let second = try #require(observer.sections)
    #expect(second != first)
    #expect(second[1] == first[1])
    #expect(second[0] != first[0])
  }
}
