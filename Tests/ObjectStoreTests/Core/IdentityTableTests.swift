import DataModel
import Testing

@testable import ObjectStore

@Suite("Objects in memory by their keys") struct IdentityTableTests {
  /// Keys beside each other, a block or a page or more apart, and those of objects that are not saved.
  static let strides: [Int64] = [1, 2, 64, 100, 4096, 1 << 32, -1, -64]

  @Test(arguments: strides)
  func `an object is found by its key until it leaves`(stride: Int64) throws {
    let seed = UInt64(bitPattern: stride)
    var random = Seeded(seed)
    let layout = try #require(try Zoo.store().layout.entity("Item"))
    let table = IdentityTableBox()
    var model: [Int64: ManagedObject] = [:]
    for _ in 0..<6000 {
      let key = Int64.random(in: 1...1500, using: &random) * stride
      if let known = model[key], Int.random(in: 0..<3, using: &random) == 0 {
        table.remove(known, key)
        model[key] = nil
      } else if model[key] == nil {
        let object = ManagedObject(new: layout)
        table.insert(object, key)
        model[key] = object
      }
      let asked = Int64.random(in: 1...1500, using: &random) * stride
      #expect(table[asked] === model[asked], "seed \(seed), key \(asked)")
    }
    #expect(table.count == model.count, "seed \(seed)")
    #expect(
      Set(table.all.map { ObjectIdentifier($0) }) == Set(model.values.map { ObjectIdentifier($0) }),
      "seed \(seed)")
    for (key, object) in model { #expect(table[key] === object, "seed \(seed), key \(key)") }
  }

  @Test func `another object with the same key stays when one leaves`() throws {
    let layout = try #require(try Zoo.store().layout.entity("Item"))
    let table = IdentityTableBox()
    let (old, new) = (ManagedObject(new: layout), ManagedObject(new: layout))
    table.insert(old, 7)
    table.insert(new, 7)
    table.remove(old, 7)
    #expect(table[7] === new)
    #expect(table.count == 1)
  }
}
