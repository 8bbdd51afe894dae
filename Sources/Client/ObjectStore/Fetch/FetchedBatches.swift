import DataModel
import PredicateSQL

/// What a fetch found, read batch by batch as it is looked at.
///
/// It keeps the identities of all that was found when it was made; of the objects it keeps those of one
/// batch, and drops them when another is looked at, so that a million objects can be gone through in
/// little memory. Objects with changes, and those that a program holds, stay as they are.
///
/// Its elements stay what they were when it was made. An object that was deleted meanwhile keeps its
/// place, so that indices stay good, and says so: `isDeleted` is true, and its values are the last that
/// were known, or the defaults. Like its context, it belongs to one isolation. What cannot be read is
/// reported as `problems` of the context.
public struct FetchedBatches<Element>: RandomAccessCollection {
  /// The first position.
  public let startIndex = 0
  /// The position behind the last.
  public var endIndex: Int { reader.keys.count }
  /// How many objects are read together.
  public var batchSize: Int { reader.size }

  private let reader: BatchReader
  private let make: (ManagedObject) -> Element

  init(_ reader: BatchReader, _ make: @escaping (ManagedObject) -> Element) {
    self.reader = reader
    self.make = make
  }

  /// The element at a position, which is read with the others of its batch.
  public subscript(position: Int) -> Element { make(reader.object(position)) }
}

extension ModelContext {
  /// The objects that `request` asks for, read `batchSize` at a time when they are looked at.
  ///
  /// Changes that are not saved yet cannot count: the request has to say so, or this throws
  /// `includePendingChangesWithBatchSize`.
  ///
  /// ```swift
  /// var request = FetchRequest("Entry", sort: [QuerySort(.property("when"))])
  /// request.includesPendingChanges = false
  /// for entry in try context.fetch(request, batchSize: 500) { print(try entry.value("tail")) }
  /// ```
  public func fetch(
    _ request: FetchRequest, batchSize: Int
  ) throws -> FetchedBatches<ManagedObject> {
    FetchedBatches(try reader(request, batchSize)) { $0 }
  }

  /// The models that `request` asks for, read `batchSize` at a time when they are looked at.
  public func models<Model: PersistentModel>(
    _ request: FetchRequest, of type: Model.Type = Model.self, batchSize: Int
  ) throws -> FetchedBatches<Model> {
    FetchedBatches(try reader(request, batchSize)) { [self] in model(of: $0, as: type) }
  }

  private func reader(_ request: FetchRequest, _ batchSize: Int) throws -> BatchReader {
    if request.includesPendingChanges {
      throw StoreError(
        .includePendingChangesWithBatchSize, request.entity,
        "batches come from the store, where changes that are not saved yet do not count",
        fix: "set includesPendingChanges to false, or fetch without a batch size")
    }
    if batchSize < 1 {
      throw StoreError(
        .invalidFetch, request.entity, "the batch size \(batchSize) is less than 1",
        fix: "ask for batches of 1 or more")
    }
    let keys = try withIdentities(of: request) { $0.keys }
    return BatchReader(self, request, try layout(request.entity), keys, size: batchSize)
  }
}

/// Reads the batches of one fetch, and keeps one.
final class BatchReader {
  let keys: [Int64]
  let size: Int
  private let context: ModelContext
  private let request: FetchRequest
  private let layout: EntityLayout
  private var start = 0
  private var objects: [ManagedObject] = []

  init(
    _ context: ModelContext, _ request: FetchRequest, _ layout: EntityLayout, _ keys: [Int64],
    size: Int
  ) {
    self.context = context
    self.request = request
    self.layout = layout
    self.keys = keys
    self.size = size
  }

  func object(_ position: Int) -> ManagedObject {
    if position >= start, position - start < objects.count { return objects[position - start] }
    guard keys.indices.contains(position) else { return nothing }
    let first = position - position % size
    objects = []
    // Reading takes in what others did, and whoever hears of that may look at this fetch himself.
    let read = read(keys[first..<Swift.min(first + size, keys.count)])
    (start, objects) = (first, read)
    return read[position - first]
  }

  /// What stands at a position that there is not: an object that is gone.
  private var nothing: ManagedObject {
    let object = ManagedObject(stored: layout, key: 0, context: context)
    object.state = .gone
    return object
  }

  private func read(_ keys: ArraySlice<Int64>) -> [ManagedObject] {
    context.receiveChanges()
    var found: [Int64: ManagedObject] = [:]
    do {
      var query = StoredQuery(layout: layout, includesSubentities: request.includesSubentities)
      query.filter = SQLFragment(
        "t0._id IN (SELECT value FROM json_each(?))", [.string(KeyList.text(keys))])
      let objects = try context.fetchStored(query, properties: request.propertiesToFetch)
      for object in objects { found[object.key] = object }
      if !request.relationshipsToPrefetch.isEmpty {
        try context.prefetch(request.relationshipsToPrefetch, of: objects)
      }
    } catch {
      context.note(
        (error as? StoreError)
          ?? StoreError(.readFailed, layout.name, "a batch cannot be read: \(error)"))
      // Faults stand in, which are read one by one.
      return keys.map { context.object($0, layout) }
    }
    return keys.map { key in
      if let object = found[key] { return object }
      let object = context.object(key, layout)
      if object.state == .clean { object.state = .gone }
      return object
    }
  }
}
