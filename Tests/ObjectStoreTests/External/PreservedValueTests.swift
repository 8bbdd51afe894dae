import DataModel
import Foundation
import SQLiteDriver
import Testing

@testable import ObjectStore

@Suite struct PreservedValueTests {
  func tombstones(_ store: Store) throws -> [[UInt8]] {
    try store.read { connection in
      let statement = try connection.prepare(
        "SELECT tombstone FROM contrail_change WHERE kind = 3 AND tombstone IS NOT NULL")
      var found: [[UInt8]] = []
      while try statement.step() { found.append(statement.bytes(0)) }
      return found
    }
  }

  @Test func `history keeps what is preserved of deleted objects, cascades and files included`()
    throws
  {
    let folder = try ValuesFolder()
    let store = try Store(at: .file(folder.storeFile), schema: Album.schema)
    let photo = try #require(store.layout.entity("Photo"))
    let caption = photo.slots[try #require(photo.slot("caption"))].number
    let picture = photo.slots[try #require(photo.slot("picture"))].number
    let context = ModelContext(store)
    let album = try context.add("Folder", ["title": .string("north")])
    let huge = Album.picture(9, count: Tombstone.fileBytesMax + 1)
    for (name, bytes) in [("a", [1, 2]), ("b", Album.picture(7)), ("c", huge)] {
      let object = try context.add("Photo", ["caption": .string(name), "picture": .data(bytes)])
      try object.setRelated("folder", album)
    }
    try context.save()
    let other = ModelContext(store)
    try other.delete(try #require(try other.all("Folder").first))
    try other.save()
    #expect(try other.all("Photo").isEmpty)
    // What is deleted by a cascade is deleted in no particular order.
    let found = try tombstones(store).sorted {
      "\(Tombstone.values($0)[caption] ?? .null)" < "\(Tombstone.values($1)[caption] ?? .null)"
    }
    #expect(
      found.map(Tombstone.values).map { $0.filter { $0.key == caption || $0.key == picture } } == [
        [caption: .string("a"), picture: .data([1, 2])],
        [caption: .string("b"), picture: .data(Album.picture(7))],
        [caption: .string("c")],
      ])
    #expect(found.map(Tombstone.droppedSizes) == [[:], [:], [picture: huge.count]])
  }
}
