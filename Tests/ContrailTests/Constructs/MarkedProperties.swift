import Contrail
import Foundation
import Testing

/// Properties with every option of `@Attribute`, and constraints and indexes of the class.
@Model final class Record {
  #Unique<Record>([\.code], [\.shelf, \.place])
  #Index<Record>([\.title], [\.shelf, \.place])
  #Index<Record>(.binary([\.year]), .rtree([\.width]))

  @Attribute(.unique, originalName: "ident") var code: String
  @Attribute(originalName: "caption", hashModifier: "2") var title: String
  @Attribute(.externalStorage) var cover: Data?
  @Attribute(.externalStorage, .allowsCloudEncryption) var sleeve: Data = Data()
  @Attribute(.allowsCloudEncryption) var price: Int?
  @Attribute(.preserveValueOnDeletion) var shelf: Int
  @Attribute(.spotlight) var words: String = ""
  @Attribute(.ephemeral) var playing: Bool = false
  @Attribute var place: Int
  @Attribute(.codable) var tracks: [String: Double] = [:]
  var year: Int = 1970
  var width: Double = 30

  init(code: String, title: String, shelf: Int, place: Int) {
    self.code = code
    self.title = title
    self.shelf = shelf
    self.place = place
  }
}

@Suite struct MarkedProperties {
  @Test func `Properties with every option are kept`() throws {
    let cover = Data(repeating: 7, count: 200_000)
    let kept = try Kept(Record.self) { context in
      let record = Record(code: "r1", title: "First", shelf: 1, place: 2)
      record.cover = cover
      record.sleeve = Data([1])
      record.price = 12
      record.words = "first record"
      record.tracks = ["one": 3.5]
      context.insert(record)
    }
    let record = try kept.one(Record.self)
    #expect(record.cover == cover)
    #expect(record.sleeve == Data([1]))
    #expect(record.price == 12)
    #expect(record.words == "first record")
    #expect(record.tracks == ["one": 3.5])
  }

  @Test func `What is ephemeral is not kept`() throws {
    let kept = try Kept(Record.self) { context in
      let record = Record(code: "r1", title: "First", shelf: 1, place: 2)
      record.playing = true
      context.insert(record)
    }
    #expect(try kept.one(Record.self).playing == false)
  }

  @Test func `An object that is alike in a unique property changes the one in the store`() throws {
    let kept = try Kept(Record.self) { context in
      context.insert(Record(code: "r1", title: "First", shelf: 1, place: 2))
      try context.save()
      context.insert(Record(code: "r1", title: "Changed", shelf: 3, place: 4))
    }
    #expect(try kept.one(Record.self).title == "Changed")
  }

  @Test
  func `An object that is alike in all properties of a constraint changes the one in the store`()
    throws
  {
    let kept = try Kept(Record.self) { context in
      context.insert(Record(code: "r1", title: "First", shelf: 1, place: 2))
      context.insert(Record(code: "r2", title: "Beside it", shelf: 1, place: 3))
      try context.save()
      context.insert(Record(code: "r3", title: "In its place", shelf: 1, place: 2))
    }
    #expect(try kept.all(Record.self).map(\.title).sorted() == ["Beside it", "In its place"])
  }
}
