import DataModel
import Foundation
import ObjectStore

// A second process on a store, for tests: it takes the schema from the file.
//
//   StoreChild count PATH ENTITY PROPERTY AUTHOR N
//     N times: adds 1 to PROPERTY of the first object of ENTITY, and inserts an object of it, each
//     pair in one transaction; a conflict is tried again.
//   StoreChild once PATH ENTITY PROPERTY AUTHOR N
//     The same, N inserts in one transaction and nothing else.

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 6, let count = Int(arguments[6]) else {
  print("usage: StoreChild count|once PATH ENTITY PROPERTY AUTHOR N")
  exit(64)
}
let (path, entity, property, author) = (arguments[2], arguments[3], arguments[4], arguments[5])

do {
  let store = try Store(at: .file(path), schema: Store.facts(at: path).schema)
  let context = ModelContext(store)
  context.author = author
  if arguments[1] == "once" {
    for _ in 0..<count { try context.insert(entity) }
    try context.save()
    exit(0)
  }
  let first = ObjectIdentity(store: store.identifier, entity: entity, key: 1)
  var done = 0
  while done < count {
    context.receiveChanges()
    guard let object = context.object(first), case .integer(let value) = try object.value(property)
    else {
      print("no object to count with: \(context.problems)")
      exit(1)
    }
    try object.setValue(property, .integer(value + 1))
    try context.insert(entity)
    do {
      try context.save()
      done += 1
    } catch let error as StoreError where error.code == .conflict {
      context.rollback()
    }
  }
} catch {
  print(error)
  exit(1)
}
