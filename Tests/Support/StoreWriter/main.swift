import DataModel
import Foundation
import Glibc
import ObjectStore

// Saves to a store for ever, and says so after each save, until it is killed.
//
//   store-writer KIND PATH [SAVES]    SAVES is what the store has from an earlier run
//
// Save number n inserts two entries with the number n, and sets the counter to n: so a test can tell
// whether all of a save is there, or nothing.

enum Usage: Error { case wrong }

func begin() throws {
  let arguments = CommandLine.arguments
  guard arguments.count >= 3, let kind = StoreKind(rawValue: arguments[1]) else {
    throw Usage.wrong
  }
  let schema = Schema(
    name: "Saves",
    entities: [
      Schema.Entity(
        name: "Counter",
        attributes: [Schema.Attribute(name: "value", type: .integer64, isOptional: true)],
        relationships: [
          Schema.Relationship(
            name: "entries", destination: "Entry", inverse: "counter", isToMany: true)
        ]),
      Schema.Entity(
        name: "Entry",
        attributes: [
          Schema.Attribute(name: "number", type: .integer64, isOptional: true),
          Schema.Attribute(name: "text", type: .string, isOptional: true),
        ],
        relationships: [
          Schema.Relationship(name: "counter", destination: "Counter", inverse: "entries")
        ]),
    ])
  let store = try Store(at: Store.Location(kind, path: arguments[2]), schema: schema)
  say("open\n")
  let context = ModelContext(store)
  var number = arguments.count > 3 ? Int64(arguments[3]) ?? 0 : 0
  var known: ManagedObject?
  if number > 0 {
    known = context.object(
      ObjectIdentity(store: store.identifier, entity: "Counter", key: 1))
  }
  let counter = try known ?? context.insert("Counter")
  while true {
    number += 1
    try counter.setValue("value", .integer(number))
    for _ in 0..<2 {
      let entry = try context.insert("Entry")
      try entry.setValue("number", .integer(number))
      try entry.setValue("text", .string(String(repeating: "\(number) ", count: 200)))
      try entry.setRelated("counter", counter)
    }
    try context.save()
    say("\(number)\n")
  }
}

/// Writes at once: what is only buffered would be lost with the process.
func say(_ text: String) {
  let bytes = Array(text.utf8)
  _ = write(1, bytes, bytes.count)
}

do {
  try begin()
} catch {
  FileHandle.standardError.write(Data("store-writer: \(error)\n".utf8))
  exit(1)
}
