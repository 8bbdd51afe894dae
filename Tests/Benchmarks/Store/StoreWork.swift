import DataModel
import FoundationEssentials
import ObjectStore
import PredicateSQL

/// Our side of the rows: what a program does with a store, through typed models.
enum StoreWork {
  /// How many objects are saved together.
  static let saveCount = 10_000
  /// Our file with all rows.
  static let file = "store.sqlite"
  /// The same with few rows, for work that must not depend on how many there are.
  static let smallFile = "store-small.sqlite"

  static func insert(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    try bench.withFreshFile { path in
      var store: Store? = try open(path)
      try watch.measure {
        if let store { try insert(bench, into: store, count: bench.rowCount) }
        store = nil
      }
      return try count(path)
    }
  }

  private static func insert(_ bench: Workbench, into store: Store, count: Int) throws {
    let context = ModelContext(store)
    var row = 0
    while row < count {
      let end = min(row + saveCount, count)
      while row < end {
        try context.insert(ItemModel(bench.rows[row]))
        row += 1
      }
      try context.save()
    }
  }

  static func insertBatch(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    try bench.withFreshFile { path in
      var store: Store? = try open(path)
      try watch.measure {
        var next = 0
        try store?.insertBatch(ItemModel.self) { row in
          guard next < bench.rowCount else { return false }
          ItemModel.fill(&row, from: bench.rows[next])
          next += 1
          return true
        }
        store = nil
      }
      return try count(path)
    }
  }

  static func updateBatch(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    try bench.withCopy(of: file) { path in
      var store: Store? = try open(path)
      return try watch.measure {
        let result = try store?.updateBatch(
          "Item",
          set: [
            "count": .arithmetic(.add, .property("count"), .literal(.integer(1))),
            "remarks": .literal(.string("as they all are")),
          ], result: .count)
        store = nil
        return Int64(result?.count ?? 0)
      }
    }
  }

  static func deleteBatch(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    try bench.withCopy(of: file) { path in
      var store: Store? = try open(path)
      return try watch.measure {
        let result = try store?.deleteBatch("Item", result: .count)
        store = nil
        return Int64(result?.count ?? 0)
      }
    }
  }

  static func singleTransactions(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    try bench.withFreshFile { path in
      var store: Store? = try open(path)
      try watch.measure {
        if let store {
          let context = ModelContext(store)
          context.author = "author"
          for row in 0..<bench.transactionCount {
            try context.insert(ItemModel(bench.rows[row]))
            try context.save()
          }
        }
        store = nil
      }
      return try count(path)
    }
  }

  static func fill(_ bench: Workbench) throws {
    try Floors.fill(bench)
    try bench.fill(file) { path in try insert(bench, into: open(path), count: bench.rowCount) }
  }

  static func fillSmall(_ bench: Workbench) throws {
    try bench.fill(smallFile) { path in
      try insert(bench, into: open(path), count: min(bench.rowCount, Workbench.smallRowCount))
    }
  }

  /// Opening a store with a schema that has one attribute more, which migrates it, and closing it.
  static func addAttribute(to name: String) -> HeavyRow<Workbench>.Side {
    var schema = ItemModel.schema
    schema.entities[0].attributes.append(
      Schema.Attribute(
        name: "added", type: .integer64, isOptional: false, defaultValue: .integer(0)))
    return { [schema] bench, watch in
      try bench.withCopy(of: name) { path in
        try watch.measure { _ = try Store(at: .file(path), schema: schema) }
        let migrated = try Store(at: .file(path), schema: schema)
        return Int64(migrated.layout.entities[0].slots.count)
      }
    }
  }

  static func fetch(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let context = ModelContext(try open(bench.path(file)))
    let items = try watch.measure { try context.fetch(ItemModel.self) }
    return items.reduce(0) { $0 + $1.checksum }
  }

  static func release(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let context = ModelContext(try open(bench.path(file)))
    var items = try context.fetch(ItemModel.self)
    let sum = items.reduce(0) { $0 + $1.checksum }
    watch.measure { items = [] }
    return sum
  }

  static func identifiers(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let context = ModelContext(try open(bench.path(file)))
    return try watch.measure { Int64(try context.fetchIdentities(FetchRequest("Item")).count) }
  }

  /// How many items there are, or how many `predicate` is true of.
  static func count(
    _ predicate: @escaping @Sendable (Workbench) -> Predicate<ItemModel>?
  ) -> HeavyRow<Workbench>.Side {
    { bench, watch in
      let context = ModelContext(try open(bench.path(file)))
      return try watch.measure {
        Int64(try context.fetchCount(ItemModel.self, where: predicate(bench)))
      }
    }
  }

  /// Faults that are fulfilled one by one, by their identities, in one read transaction.
  static func lookUps(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let store = try open(bench.path(file))
    let context = ModelContext(store)
    return try watch.measure {
      try context.reading {
        var sum: Int64 = 0
        for key in bench.keys {
          let identity = ObjectIdentity(store: store.identifier, entity: "Item", key: key)
          guard let object = context.object(identity) else { continue }
          sum += context.model(of: object, as: ItemModel.self).checksum
        }
        return sum
      }
    }
  }

  static func open(_ path: String) throws -> Store {
    try Store(at: .file(path), schema: ItemModel.schema)
  }

  /// How many objects the store at `path` has.
  static func count(_ path: String) throws -> Int64 {
    Int64(try ModelContext(open(path)).fetchCount(ItemModel.self))
  }
}
