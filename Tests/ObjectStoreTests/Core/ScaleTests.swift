import DataModel
import Glibc
import Testing

@testable import ObjectStore

/// Work on four times as many objects may take some more than four times as long, but not sixteen times.
@Suite(.serialized) struct ScaleTests {
  static let small = 400
  static let factor = 4
  static let ratioMax = 9.0

  /// The processor time of this thread, in seconds: others that work beside it do not count.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func ratio(_ work: (Int) throws -> Void) rethrows -> Double {
    var (small, large) = (Double.infinity, Double.infinity)
    for _ in 0..<3 {
      var times = [Self.processorTime()]
      for count in [Self.small, Self.small * Self.factor] {
        try work(count)
        times.append(Self.processorTime())
      }
      (small, large) = (min(small, times[1] - times[0]), min(large, times[2] - times[1]))
    }
    return large / small
  }

  private func family(_ count: Int, _ list: String) throws -> (
    ModelContext, ManagedObject, [ManagedObject]
  ) {
    let context = ModelContext(try Zoo.store())
    let parent = try context.insert(list == "things" ? "Box" : "Person")
    let children = try (0..<count).map { _ in try context.insert("Item") }
    try parent.setRelated(list, children)
    try context.save()
    return (context, parent, children)
  }

  @Test(arguments: ["things", "items", "favourites", "watched"])
  func `children are added, taken out and moved in time that grows with their number`(
    list: String
  ) throws {
    let found = try ratio { count in
      let (context, parent, children) = try family(count, list)
      for child in children { try parent.removeRelated(list, child) }
      for child in children.reversed() { try parent.addRelated(list, child) }
      for child in children.reversed() { try parent.removeRelated(list, child) }
      try parent.setRelated(list, children.reversed())
      try context.save()
      try parent.setRelated(list, [])
      try context.save()
    }
    #expect(found < Self.ratioMax)
  }

  @Test func `deleting takes time that grows with the number of objects`() throws {
    let found = try ratio { count in
      let (context, parent, children) = try family(count, "items")
      for child in children.prefix(count / 2) { try context.delete(child) }
      try context.delete(parent)
      try context.save()
    }
    #expect(found < Self.ratioMax)
  }

  @Test func `a long chain is made, read and deleted in time that grows with its length`() throws {
    let found = try ratio { count in
      let context = ModelContext(try Zoo.store())
      let people = try (0..<count).map { _ in try context.insert("Person") }
      for (person, boss) in zip(people, people.dropFirst()) { try person.setRelated("boss", boss) }
      try context.save()
      var person = people.first
      while let next = person { person = try next.related("boss") }
      for person in people { try context.delete(person) }
      context.rollback()
      try context.delete(people[0])
      try context.save()
    }
    #expect(found < Self.ratioMax)
  }

  @Test func `one of many is moved to the front by writing one row`() throws {
    let (context, parent, children) = try family(500, "things")
    try parent.setRelated("things", [children[499]] + children.dropLast())
    #expect(context.updatedObjects.count == 1)
    try context.save()
    try parent.setRelated("things", children)
    #expect(context.updatedObjects.count == 1)
  }

  @Test func `other objects are read beside a long list without looking through it`() throws {
    let found = try ratio { count in
      let store = try Zoo.store()
      let context = ModelContext(store)
      let person = try context.insert("Person")
      for _ in 0..<count {
        let item = try context.insert("Item")
        try item.setRelated("owner", person)
        try item.setRelated("box", context.insert("Box"))
      }
      try context.save()
      let other = ModelContext(store)
      for item in try other.same(person).relatedObjects("items") {
        _ = try item.related("box")?.value("label")
      }
    }
    #expect(found < Self.ratioMax)
  }
}
