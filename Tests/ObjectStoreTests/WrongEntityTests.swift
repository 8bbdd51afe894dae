import DataModel
import Foundation
import Testing

@testable import ObjectStore

@Suite struct WrongEntityTests {
  static let schema = Schema(entities: [
    .init(name: "Base"),
    .init(
      name: "A", parent: "Base",
      attributes: [.init(name: "x", type: .string, isOptional: true)]),
  ])

  @Test
  func `an identity that names another entity than the object's leads nowhere, and nothing traps`()
    throws
  {
    let store = try Store(at: .memory, schema: Self.schema)
    let context = ModelContext(store)
    let base = try context.insert("Base")
    try context.save()
    let wrong = ObjectIdentity(store: store.identifier, entity: "A", key: base.key)
    #expect(context.object(wrong) == nil)
    let other = ModelContext(store)
    let fault = try #require(other.object(wrong))
    #expect(try fault.value("x") == .null)
    #expect(fault.isDeleted)
    #expect(other.takeProblems().map(\.code) == [.missingObject])
    let right = try #require(base.identity)
    #expect(other.object(right)?.isDeleted == false)
    #expect(try other.all("Base").map(\.entity) == ["Base"])
  }
}
