public import DataModel

/// One state of a list of results: who is in it, and where its sections are.
///
/// Objects are made as they are asked for, and kept from then on.
final class ResultRows {
  /// How many objects are made, and later read, together.
  static let batchMax = 64

  let entries: [ResultEntry]
  /// The sections; nil where none were asked for.
  let sections: [SectionRange]?
  private(set) var held: [Int64: ManagedObject]
  private let context: ModelContext?
  /// Stands in for what cannot be: an object of a list without a context, which is empty.
  private static var nobody: ManagedObject {
    ManagedObject(new: EntityLayout.detached("", of: Schema(name: "", entities: [])))
  }

  /// A section's title and its part of the entries.
  struct SectionRange: Hashable {
    var title: AnyHashable
    var range: Range<Int>
  }

  /// No results.
  init() {
    entries = []
    sections = nil
    held = [:]
    context = nil
  }

  init(
    _ entries: [ResultEntry], _ sections: [SectionRange]?, held: [Int64: ManagedObject],
    _ context: ModelContext
  ) {
    self.entries = entries
    self.sections = sections
    self.held = held
    self.context = context
  }

  /// The object at a place, which there has to be.
  func object(_ place: Int) -> ManagedObject {
    if let known = held[entries[place].key] { return known }
    guard let context else { return Self.nobody }
    let batch = entries[place...].prefix(Self.batchMax).map { entry -> ManagedObject in
      if let known = held[entry.key] { return known }
      let object = context.object(entry)
      held[entry.key] = object
      return object
    }
    context.expectReading(batch)
    return batch.first ?? Self.nobody
  }

  /// The identity of the object at a place.
  func identity(_ place: Int, in store: Store) -> ObjectIdentity {
    identity(entries[place], in: store)
  }

  func identity(_ entry: ResultEntry, in store: Store) -> ObjectIdentity {
    let position = Int(entry.entity)
    return store.origins.indices.contains(position)
      ? ObjectIdentity(store.origins[position], key: entry.key)
      : ObjectIdentity(store: store.identifier, entity: "", key: entry.key)
  }
}

/// The objects that a live fetch found last, in order: one state of them, which later ones do not change.
///
/// Objects are read when they are used, so that a long list costs little until it is looked at.
public struct ResultsList<Element>: RandomAccessCollection {
  let rows: ResultRows
  let element: (ManagedObject) -> Element
  let range: Range<Int>

  /// The first position.
  public var startIndex: Int { 0 }
  /// The position behind the last.
  public var endIndex: Int { range.count }

  /// The element at `position`, which has to be a place of the list, as in an array.
  public subscript(position: Int) -> Element {
    element(rows.object(range.lowerBound + position))
  }

  /// The identity of the object at `position`, without reading the object; nil where there is no
  /// such place.
  ///
  /// The key of an object that was never saved is below zero.
  public func identity(at position: Int) -> ObjectIdentity? {
    guard indices.contains(position) else { return nil }
    return rows.object(range.lowerBound + position).queryIdentity
  }
}

/// The objects with one title: a part of a list of results.
public struct ResultsSection<Element, SectionTitle: Hashable>: RandomAccessCollection, Identifiable
{
  /// What the objects have in common.
  public let title: SectionTitle
  let list: ResultsList<Element>

  /// What tells it from others.
  public var id: SectionTitle { title }
  /// The first position.
  public var startIndex: Int { 0 }
  /// The position behind the last.
  public var endIndex: Int { list.endIndex }

  /// The element at `position`, which has to be a place of the section, as in an array.
  public subscript(position: Int) -> Element { list[position] }
}

/// The sections of a list of results, in the order in which their first objects come.
public struct SectionedResults<Element, SectionTitle: Hashable>: RandomAccessCollection {
  let list: ResultsList<Element>
  let titles: [SectionTitle]
  let parts: [ResultRows.SectionRange]

  /// The first position.
  public var startIndex: Int { 0 }
  /// The position behind the last.
  public var endIndex: Int { titles.count }

  /// The section at `position`, which has to be a place of the list, as in an array.
  public subscript(position: Int) -> ResultsSection<Element, SectionTitle> {
    ResultsSection(
      title: titles[position],
      list: ResultsList(
        rows: list.rows, element: list.element, range: parts[position].range))
  }
}

extension ResultRows {
  /// Keeps objects of the list before, which are in this one too.
  func keep(_ objects: some Sequence<ManagedObject>, except removed: Set<Int64>) {
    for object in objects where !removed.contains(object.key) && object.isUsable {
      held[object.key] = object
    }
  }
}
