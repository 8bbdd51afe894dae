import Contrail

/// Our side of the rows: what a program does with models, a container and contexts, and no other import.
enum FaceWork {
  typealias Side = HeavyRow<Workbench>.Side

  /// How many models are saved together.
  static let saveCount = StoreWork.saveCount
  /// The file with all rows.
  static let file = "face.sqlite"

  static func insert(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    try bench.withFreshFile { path in
      var container: ModelContainer? = try open(path)
      try watch.measure {
        if let container { try insert(bench, into: container) }
        container = nil
      }
      return try count(path)
    }
  }

  private static func insert(_ bench: Workbench, into container: ModelContainer) throws {
    let context = ModelContext(container)
    var row = 0
    while row < bench.rowCount {
      let end = min(row + saveCount, bench.rowCount)
      while row < end {
        context.insert(FaceItem(bench.rows[row]))
        row += 1
      }
      try context.save()
    }
  }

  static func fill(_ bench: Workbench) throws {
    try Floors.fill(bench)
    try bench.fill(file) { path in try insert(bench, into: open(path)) }
  }

  static func singleTransactions(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    try bench.withFreshFile { path in
      var container: ModelContainer? = try open(path)
      try watch.measure {
        if let container {
          let context = ModelContext(container)
          context.author = "author"
          for row in 0..<bench.transactionCount {
            context.insert(FaceItem(bench.rows[row]))
            try context.save()
          }
        }
        container = nil
      }
      return try count(path)
    }
  }

  static func fetch(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let context = ModelContext(try open(bench.path(file)))
    let items = try watch.measure { try context.fetch(FetchDescriptor<FaceItem>()) }
    return items.reduce(0) { $0 + $1.checksum }
  }

  static func release(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let context = ModelContext(try open(bench.path(file)))
    var items = try context.fetch(FetchDescriptor<FaceItem>())
    let sum = items.reduce(0) { $0 + $1.checksum }
    watch.measure { items = [] }
    return sum
  }

  static func identifiers(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let context = ModelContext(try open(bench.path(file)))
    return try watch.measure {
      Int64(try context.fetchIdentifiers(FetchDescriptor<FaceItem>()).count)
    }
  }

  /// How many items there are, or how many `predicate` is true of.
  static func count(
    _ predicate: @escaping @Sendable (Workbench) -> Predicate<FaceItem>?
  ) -> Side {
    { bench, watch in
      let context = ModelContext(try open(bench.path(file)))
      return try watch.measure {
        Int64(try context.fetchCount(FetchDescriptor(predicate: predicate(bench))))
      }
    }
  }

  /// Faults that are fulfilled one by one, by their identifiers, in one read transaction.
  static func lookUps(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let context = ModelContext(try open(bench.path(file)))
    let identifiers = try shuffledIdentifiers(bench, context)
    return try watch.measure {
      try context.reading {
        identifiers.reduce(0) { $0 + ((context.model(for: $1) as? FaceItem)?.checksum ?? 0) }
      }
    }
  }

  /// The same with a transaction for each.
  static func singleLookUps(_ bench: Workbench, _ watch: Stopwatch) throws -> Int64 {
    let context = ModelContext(try open(bench.path(file)))
    let identifiers = try shuffledIdentifiers(bench, context)
    return watch.measure {
      identifiers.reduce(0) { $0 + ((context.model(for: $1) as? FaceItem)?.checksum ?? 0) }
    }
  }

  /// The identifiers in the order in which the floor asks.
  private static func shuffledIdentifiers(
    _ bench: Workbench, _ context: ModelContext
  ) throws -> [PersistentIdentifier] {
    let ordered = try context.fetchIdentifiers(FetchDescriptor<FaceItem>())
    // Rows were inserted in this order, so keys count from 1.
    return bench.keys.map { ordered[Int($0) - 1] }
  }

  static func open(_ path: String) throws -> ModelContainer {
    try ModelContainer(
      for: FaceItem.self, configurations: ModelConfiguration(url: URL(fileURLWithPath: path)))
  }

  /// How many models the store at `path` has.
  static func count(_ path: String) throws -> Int64 {
    Int64(try ModelContext(open(path)).fetchCount(FetchDescriptor<FaceItem>()))
  }
}
