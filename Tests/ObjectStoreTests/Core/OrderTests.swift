import DataModel
import Testing

@testable import ObjectStore

@Suite struct OrderTests {
  @Test func `places ascend, and few objects move`() {
    func moved(_ current: [Int64?]) -> [Int64] {
      let places = SparseOrder.places(for: current)
      #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "\(current) -> \(places)")
      return zip(current, places).filter { $0 != $1 }.map(\.1)
    }
    #expect(moved([nil, nil, nil]) == [1024, 2048, 3072])
    #expect(moved([1024, 2048, 3072]) == [])
    #expect(moved([3072, 1024, 2048]) == [0])
    #expect(moved([2048, 3072, 1024]) == [4096])
    #expect(moved([1024, nil, 2048]) == [1536])
    #expect(moved([1024, 3072, 2048]) == [2560] || moved([1024, 3072, 2048]) == [1536])
    #expect(moved([1024, nil, nil, nil, 2048]) == [1280, 1536, 1792])
    #expect(moved([.max - 1, nil]).count == 2)
    #expect(moved([nil, .min + 1]).count == 2)
    #expect(moved([0, 0, 0]).count <= 3)
    #expect(moved([1, nil, 2, 3, 4, 5, 6, 7, 8, 9]).count < 10)
    #expect(moved((1...1000).map { 1001 - $0 }).count >= 999)
    var random = Seeded(7)
    for _ in 0..<500 {
      let current = (0..<Int.random(in: 0..<12, using: &random)).map { _ -> Int64? in
        Bool.random(using: &random) ? Int64.random(in: -6...6, using: &random) : nil
      }
      _ = moved(current)
    }
  }

  @Test func `a gap that is used up makes room for long`() {
    var places: [Int64] = SparseOrder.places(for: [nil, nil])
    var moves = 0
    for _ in 0..<1000 {
      let current: [Int64?] = [places[0], nil] + places.dropFirst().map { $0 }
      let new = SparseOrder.places(for: current)
      moves += zip(current, new).count { $0 != $1 }
      places = new
    }
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
    #expect(moves < 30_000)
  }

  @Test func `an ordered list is what was set, in the store too`() throws {
    for (relationship, inverse, owner) in [
      ("things", "box", "Box"), ("favourites", "fans", "Person"),
    ] {
      let store = try Zoo.store()
      let context = ModelContext(store)
      let holder = try context.add(owner, "h")
      var list = try (0..<4).map { try context.add("Item", "i\($0)") }
      try holder.setRelated(relationship, list)
      func check(_ line: Int) throws {
        let wanted = list.map(\.named)
        #expect(try holder.names(relationship) == wanted, "line \(line) before")
        try context.save()
        #expect(try holder.names(relationship) == wanted, "line \(line) after")
        #expect(try store.names(relationship, of: holder) == wanted, "line \(line) fresh")
      }
      try check(#line)
      list.insert(try context.add("Item", "front"), at: 0)
      try holder.setRelated(relationship, list)
      try check(#line)
      list.insert(try context.add("Item", "middle"), at: 3)
      try holder.setRelated(relationship, list)
      try check(#line)
      list.append(try context.add("Item", "end"))
      try holder.addRelated(relationship, list[6])
      try check(#line)
      list.reverse()
      try holder.setRelated(relationship, list)
      try check(#line)
      list.removeLast()
      list.swapAt(0, 5)
      try holder.setRelated(relationship, list)
      try check(#line)
      // What is added to a list that was not read comes last.
      let other = ModelContext(store)
      let late = try other.add("Item", "late")
      try other.same(holder).addRelated(relationship, late)
      try other.save()
      #expect(
        try store.names(relationship, of: holder) == list.map(\.named) + ["late"])
      // Another's change does not undo what was moved here and not saved yet.
      list.swapAt(0, 1)
      try holder.setRelated(relationship, list)
      let third = ModelContext(store)
      try third.same(holder).rename("renamed")
      try third.save()
      context.receiveChanges()
      #expect(try holder.names(relationship).prefix(2) == list.map(\.named).prefix(2))
      _ = inverse
    }
  }

  @Test func `inserting at one place again and again keeps the order`() throws {
    let store = try Zoo.store()
    let context = ModelContext(store)
    let box = try context.add("Box", "b")
    var list = try (0..<3).map { try context.add("Item", "i\($0)") }
    for number in 0..<40 {
      list.insert(try context.add("Item", "n\(number)"), at: 1)
      try box.setRelated("things", list)
      if number % 7 == 0 { try context.save() }
    }
    try context.save()
    #expect(try store.names("things", of: box) == list.map(\.named))
  }
}
