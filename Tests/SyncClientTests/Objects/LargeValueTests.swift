import DataModel
import Foundation
import ObjectStore
import RecordWire
import Testing

@testable import SyncClient

@Suite struct LargeValueTests {
  static let schema = Schema(
    name: "Album",
    entities: [
      Schema.Entity(
        name: "Photo",
        attributes: [
          Schema.Attribute(name: "caption", type: .string, isOptional: true),
          Schema.Attribute(name: "note", type: .string),
          Schema.Attribute(
            name: "picture", type: .binaryData, isOptional: true, options: .externalStorage),
          Schema.Attribute(name: "thumb", type: .binaryData, options: .externalStorage),
        ])
    ])
  static let large = [UInt8](repeating: 7, count: 200_000)

  @Test(arguments: World.Place.allCases)
  func `values that are kept apart are files to be sent, and read when they are`(
    _ place: World.Place
  ) throws {
    let world = try World(Self.schema, .native, place)
    let context = ModelContext(world.store)
    let photo = try context.insert("Photo")
    try photo.setValue("note", .string("n"))
    try photo.setValue("picture", .data(Self.large))
    try photo.setValue("thumb", .data([1, 2, 3]))
    try context.save()
    let key = ObjectKey(entity: try world.type("Photo").number, key: 1)

    let read = try needed(world.fields(key), "the photo")

    #expect(read.fields == ["note": .string("n")])
    #expect(read.files.map(\.field) == ["picture", "thumb"])
    #expect(read.files.map(\.plainField) == [nil, nil])
    #expect(read.files.map(\.byteCount) == [place == .file ? nil : 200_000, 3])
    #expect(read.files.map { $0.storedName != nil } == [place == .file, false])
    let bytes = try world.store.readRows { connection in
      try read.files.map { try world.records.bytes(of: $0, of: key, in: connection, world.store) }
    }
    #expect(bytes == [Self.large, [1, 2, 3]])
  }

  @Test(arguments: World.Place.allCases)
  func `a file that is to be fetched is set when it has come`(_ place: World.Place) throws {
    let world = try World(Self.schema, .native, place)
    let asset = RecordAsset(fileChecksum: "c", size: 200_000, downloadURL: "https://x")

    let photo = try world.insert(
      "Photo", ["picture": .asset(asset), "thumb": .bytes([1]), "note": .string("n")])

    let awaited = AwaitedFile(field: "picture", plainField: nil, asset: asset)
    #expect(photo.files == [awaited])
    #expect(photo.unfit.map(\.field) == ["thumb"])
    let key = ObjectKey(entity: try world.type("Photo").number, key: 1)
    #expect(try world.fields(key)?.files == [])
    let set = try world.write { transaction in
      try ObjectWriter(world.type("Photo"), of: world.records, transaction).setFile(
        awaited, of: 1, to: Self.large)
    }
    #expect(set?.unfit == [])
    #expect(try world.fields(key)?.files.map(\.field) == ["picture"])
    let context = ModelContext(world.store)
    let read = try needed(context.fetch(FetchRequest("Photo")).first, "a photo")
    #expect(try read.value("picture") == .data(Self.large))
    withExtendedLifetime(context) {}

    #expect(try world.update("Photo", 1, ["picture": .null])?.isChanged == true)
    #expect(try world.update("Photo", 1, ["picture": .null])?.isChanged == false)
    #expect(try world.fields(key)?.files == [])
  }

  @Test(arguments: World.Place.allCases)
  func `in Core Data's layout what is too large is in the twin`(_ place: World.Place) throws {
    let world = try World(Self.schema, .coreData, place)
    let text = String(repeating: "x", count: 600_000)
    try world.insert(
      "Photo",
      [
        "CD_entityName": .string("Photo"), "CD_caption": .string(text),
        "CD_note": .string(text + "y"), "CD_picture": .bytes(Self.large),
      ])
    let key = ObjectKey(entity: try world.type("Photo").number, key: 1)

    let read = try needed(world.fields(key), "the photo")

    // What is beside the store is a file anyway; of the rest the largest go, until it is enough.
    #expect(
      read.files.map(\.field).sorted()
        == (place == .file
          ? ["CD_note_ckAsset", "CD_picture_ckAsset"] : ["CD_caption_ckAsset", "CD_note_ckAsset"]))
    #expect(
      read.fields.names
        == (place == .file
          ? ["CD_caption", "CD_entityName", "CD_thumb"]
          : ["CD_entityName", "CD_picture", "CD_thumb"]))
    let note = try needed(read.files.first { $0.plainField == "CD_note" }, "the note")
    let bytes = try world.store.readRows { connection in
      try world.records.bytes(of: note, of: key, in: connection, world.store)
    }
    #expect(bytes == Array((text + "y").utf8))
  }

  @Test func `a record whose plain field is empty has its value in the twin`() throws {
    let world = try World(Self.schema, .coreData)
    let asset = RecordAsset(fileChecksum: "c", size: 5)
    let fields: RecordFields = [
      "CD_caption_ckAsset": .asset(asset), "CD_note": .string(""), "CD_note_ckAsset": .asset(asset),
      "CD_thumb": .bytes([1]), "CD_thumb_ckAsset": .asset(asset),
    ]

    let photo = try world.insert("Photo", fields)

    #expect(
      photo.files == [
        AwaitedFile(field: "CD_caption_ckAsset", plainField: "CD_caption", asset: asset),
        AwaitedFile(field: "CD_note_ckAsset", plainField: "CD_note", asset: asset),
      ])
    #expect(photo.unfit == [])
    let context = ModelContext(world.store)
    let object = try needed(context.fetch(FetchRequest("Photo")).first, "a photo")
    #expect(try object.value("caption") == .null)
    #expect(try object.value("note") == .string(""), "it must have a value meanwhile")
    for file in photo.files {
      let set = try world.write { transaction in
        try ObjectWriter(world.type("Photo"), of: world.records, transaction).setFile(
          file, of: 1, to: Array("häuser".utf8))
      }
      #expect(set?.unfit == [])
    }
    #expect(
      try world.fields("Photo", 1) == [
        "CD_caption": .string("häuser"), "CD_entityName": .string("Photo"),
        "CD_note": .string("häuser"), "CD_thumb": .bytes([1]),
      ])
    let update = try world.update("Photo", 1, ["CD_caption_ckAsset": .asset(asset)])
    #expect(update?.files.map(\.plainField) == ["CD_caption"])
    let broken = try world.write { transaction in
      try ObjectWriter(world.type("Photo"), of: world.records, transaction).setFile(
        photo.files[0], of: 1, to: [0xff])
    }
    #expect(broken?.unfit.map(\.field) == ["CD_caption"])
  }
}
