import DataModel
import Testing

@testable import ObjectStore

/// Saves of a context that has not heard of what another store has committed to the same file.
@Suite struct OvertakenSaveTests {
  let folder: HistoryFolder
  let location: Store.Location

  init() throws {
    folder = try HistoryFolder()
    location = .file(folder.path("zoo.sqlite"))
  }

  private func open(_ schema: Schema = Zoo.schema) throws -> Store {
    try Store(at: location, schema: schema)
  }

  @Test func `what stands in a save's way is looked at again where others have removed it`() throws
  {
    let near = try open()
    let context = ModelContext(near, isolation: nil)
    let person = try context.insert("Person")
    try person.addRelated("gadgets", try context.insert("Gadget"))
    try context.save()
    #expect(try person.relatedObjects("gadgets").count == 1)
    let other = ModelContext(try open(), isolation: nil)
    for gadget in try other.fetch(FetchRequest("Gadget")) { try other.delete(gadget) }
    try other.save()
    // The delete rule denies it as long as there are gadgets.
    try context.delete(person)
    try context.save()
    #expect(try context.fetch(FetchRequest("Person")).isEmpty)
  }

  @Test func `a store that another one has migrated is refused at each save`() throws {
    let near = try open()
    let context = ModelContext(near, isolation: nil)
    var later = Zoo.schema
    later.entities.append(
      Schema.Entity(name: "Keeper", attributes: [Schema.Attribute(name: "name", type: .string)]))
    _ = try open(later)
    _ = try context.insert("Person")
    for _ in 1...3 {
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .incompatibleVersionHash)
    }
    #expect(try ModelContext(open(later), isolation: nil).fetch(FetchRequest("Person")).isEmpty)
  }
}
