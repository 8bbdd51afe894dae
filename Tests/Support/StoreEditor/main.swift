import DataModel
import Foundation
import ObjectStore

// Edits a store with the schema that is in it, as a program would: for tests of tools and for the demo.
//
//   store-editor PATH insert ENTITY [NAME=VALUE …]        prints the key of the new object
//   store-editor PATH set ENTITY KEY NAME=VALUE …         an empty VALUE is no value
//   store-editor PATH relate ENTITY KEY RELATIONSHIP KEY  sets a to-one, or adds to a to-many
//   store-editor PATH delete ENTITY KEY
//   store-editor PATH fill ENTITY COUNT NAME=VALUE …      as one transaction; # in a VALUE is a number
//
//   store-editor PATH export ENTITY KEY NAME FILE         writes the bytes of a value, if there are any
//
// Bytes are @FILE, or the VALUE itself. A KEY may be `last`: that of the newest object.

struct Failure: Error, CustomStringConvertible {
  var description: String
}

func value(_ text: String, _ type: Schema.AttributeType) throws -> FieldValue {
  if text.isEmpty { return .null }
  switch type {
  case .integer16, .integer32, .integer64: return .integer(Int64(text) ?? 0)
  case .boolean: return .boolean(text == "true" || text == "1")
  case .double, .float: return .double(Double(text) ?? 0)
  case .decimal: return .decimal(Decimal(string: text) ?? 0)
  case .date: return .date(try Date(text, strategy: .iso8601))
  case .uuid: return UUID(uuidString: text).map { .uuid($0) } ?? .null
  case .uri: return .uri(text)
  case .binaryData:
    guard text.hasPrefix("@") else { return .data(Array(text.utf8)) }
    return .data([UInt8](try Data(contentsOf: URL(fileURLWithPath: String(text.dropFirst())))))
  default: return .string(text)
  }
}

struct Editor {
  let store: Store
  let context: ModelContext

  init(_ path: String) throws {
    let facts = try Store.facts(at: path)
    store = try Store(at: .file(path), schema: facts.schema)
    context = ModelContext(store)
  }

  func object(_ entity: String, _ key: String) throws -> ManagedObject {
    guard let number = Int64(key) else {
      var request = FetchRequest(entity)
      request.includesSubentities = true
      let identities = try context.fetchIdentities(request)
      guard key == "last", let last = identities.max(by: { $0.key < $1.key }) else {
        throw Failure(description: "there is no \(entity) \(key)")
      }
      return try found(context.object(last), key)
    }
    let identity = ObjectIdentity(store: store.identifier, entity: entity, key: number)
    return try found(context.object(identity), key)
  }

  private func found(_ object: ManagedObject?, _ key: String) throws -> ManagedObject {
    guard let object else { throw Failure(description: "there is no object \(key)") }
    return object
  }

  func set(_ object: ManagedObject, _ words: some Sequence<String>, number: Int = 0) throws {
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let entity = store.layout.entity(object.entity),
        let slot = entity.slot(String(parts[0])), let attribute = entity.slots[slot].attribute
      else { throw Failure(description: "\(word) is no NAME=VALUE of \(object.entity)") }
      let text = parts[1].replacing("#", with: "\(number)")
      try object.setValue(attribute.name, value(String(text), attribute.type))
    }
  }

  func run(_ words: [String]) throws {
    switch (words.first, words.count) {
    case ("insert", 2...):
      let object = try context.insert(words[1])
      try set(object, words.dropFirst(2))
      try context.save()
      print(object.identity.map { "\($0.key)" } ?? "")
    case ("set", 4...):
      try set(object(words[1], words[2]), words.dropFirst(3))
      try context.save()
    case ("relate", 5):
      let object = try object(words[1], words[2])
      guard let entity = store.layout.entity(object.entity), let slot = entity.slot(words[3]),
        let relationship = entity.slots[slot].relationship
      else { throw Failure(description: "\(words[1]) has no relationship \(words[3])") }
      let other = try self.object(
        store.layout.entities[relationship.destination].name, words[4])
      if relationship.schema.isToMany {
        try object.addRelated(words[3], other)
      } else {
        try object.setRelated(words[3], other)
      }
      try context.save()
    case ("export", 5):
      if case .data(let bytes) = try object(words[1], words[2]).value(words[3]) {
        try Data(bytes).write(to: URL(fileURLWithPath: words[4]))
      }
    case ("delete", 3):
      try context.delete(object(words[1], words[2]))
      try context.save()
    case ("fill", 3...):
      for number in 0..<(Int(words[2]) ?? 0) {
        try set(context.insert(words[1]), words.dropFirst(3), number: number)
      }
      try context.save()
    default:
      throw Failure(description: "usage: store-editor PATH insert|set|relate|delete|fill …")
    }
  }
}

do {
  let words = Array(CommandLine.arguments.dropFirst())
  guard let path = words.first else {
    throw Failure(description: "usage: store-editor PATH insert|set|relate|delete|fill …")
  }
  try Editor(path).run(Array(words.dropFirst()))
} catch {
  FileHandle.standardError.write(Data("store-editor: \(error)\n".utf8))
  exit(1)
}
