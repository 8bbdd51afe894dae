import DataModel
import Testing

@testable import ObjectStore

@Suite struct ExternalCopyTests {
  @Test(arguments: [StoreKind.sqlite, .binary, .xml])
  func `a copy has large values, whichever kind it is of`(kind: StoreKind) throws {
    let schema = Schema(
      name: "Album",
      entities: [
        Schema.Entity(
          name: "Photo",
          attributes: [
            Schema.Attribute(
              name: "picture", type: .binaryData, isOptional: true, options: .externalStorage)
          ])
      ])
    let folder = try TemporaryFolder()
    let store = try Store(at: .file(folder.file("album")), schema: schema)
    let picture = [UInt8](repeating: 7, count: ValueFolder.thresholdBytes + 1)
    let context = ModelContext(store)
    try context.insert("Photo").setValue("picture", .data(picture))
    try context.insert("Photo").setValue("picture", .data([1, 2, 3]))
    try context.save()
    let target = Store.Location(kind, path: folder.file("copy"))
    try store.copy(to: target)
    let copied = ModelContext(try Store(at: target, schema: schema))
    let photos = try copied.fetch(FetchRequest("Photo"))
    #expect(try photos.map { try $0.value("picture") } == [.data(picture), .data([1, 2, 3])])
    #expect(copied.takeProblems().isEmpty)
  }
}
