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
  /// The sections' places by their titles, once somebody asks by title.
  private(set) lazy var places = Dictionary(
    (sections ?? []).enumerated().map { ($1.title, $0) }, uniquingKeysWith: { first, _ in first })
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

extension SectionedResults {
  /// The sections' titles, in their order.
  public var sectionTitles: [SectionTitle] { titles }

  /// Whether there is a section with a title.
  public func contains(sectionTitle title: SectionTitle) -> Bool {
    index(ofSectionTitled: title) != nil
  }

  /// The place of the section with a title; nil where there is none.
  public func index(ofSectionTitled title: SectionTitle) -> Int? {
    list.rows.places[AnyHashable(SectionTitleBox(title: title))]
  }

  /// The section with a title; nil where there is none.
  public subscript(sectionTitle title: SectionTitle) -> ResultsSection<Element, SectionTitle>? {
    index(ofSectionTitled: title).map { self[$0] }
  }

  /// The place of an object's section, and the object's place in it; nil where it is in none.
  public func place(of object: ManagedObject) -> (section: Int, item: Int)? {
    guard let place = list.place(of: object),
      let section = parts.firstIndex(where: { $0.range.contains(place) })
    else { return nil }
    return (section, place - parts[section].range.lowerBound)
  }
}

// Compared without reading an object.
extension ResultsList: Equatable {
  /// Whether both are the same objects of one context, in the same order.
  public static func == (first: ResultsList, second: ResultsList) -> Bool {
    first.count == second.count && first.rows.isSameContext(second.rows)
      && first.rows.hasSame(first.range, as: second.rows, second.range)
  }

  /// The place of an object; nil where it is not in the list.
  public func place(of object: ManagedObject) -> Int? {
    guard object.modelContext.map(rows.isOf) == true else { return nil }
    let entry = ResultEntry(key: object.key, entity: Int32(clamping: object.layout.index))
    let entries = rows.entriesNow(range)
    return entries.firstIndex(of: entry).map { $0 - entries.startIndex }
  }
}

extension ResultsSection: Equatable {
  /// Whether both have the same title, and the same objects of one context in the same order.
  public static func == (first: ResultsSection, second: ResultsSection) -> Bool {
    first.title == second.title && first.list == second.list
  }
}

extension SectionedResults: Equatable {
  /// Whether both have equal sections, in the same order.
  public static func == (first: SectionedResults, second: SectionedResults) -> Bool {
    first.titles == second.titles && first.list == second.list
      && first.parts.map(\.range) == second.parts.map(\.range)
  }
}

extension ResultRows {
  /// Whether the same objects stand at some places of both.
  func hasSame(_ range: Range<Int>, as other: ResultRows, _ otherRange: Range<Int>) -> Bool {
    entries[range] == other.entries[otherRange]
      || entriesNow(range) == other.entriesNow(otherRange)
  }

  /// The entries at some places, with the keys that new objects have got since, when they were saved.
  func entriesNow(_ range: Range<Int>) -> ArraySlice<ResultEntry> {
    let part = entries[range]
    guard part.contains(where: { $0.key < 0 }) else { return part }
    return part.map { entry in
      guard entry.key < 0, let object = held[entry.key] else { return entry }
      return ResultEntry(key: object.key, entity: entry.entity)
    }[...]
  }

  /// Whether the objects are of that context.
  func isOf(_ other: ModelContext) -> Bool { context === other }

  /// Whether the objects of both are of one context.
  func isSameContext(_ other: ResultRows) -> Bool { context === other.context }

  /// Keeps objects of the list before, which are in this one too.
  func keep(_ objects: some Sequence<ManagedObject>, except removed: Set<Int64>) {
    for object in objects where !removed.contains(object.key) && object.isUsable {
      held[object.key] = object
    }
  }
}
