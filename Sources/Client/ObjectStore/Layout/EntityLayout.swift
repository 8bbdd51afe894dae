public import DataModel
internal import Synchronization

/// How the objects of one entity lie in memory and in their table.
public final class EntityLayout: Sendable {
  /// The entity's name.
  public let name: String
  /// The entity as the schema has it.
  public let schema: Schema.Entity
  /// The position in the layout's list of entities.
  public let index: Int
  /// The number in the store's catalogue, which history and the column `_entity` use.
  public let number: Int
  /// The position of the topmost ancestor, or its own.
  public let root: Int
  /// The positions of this entity and of all that inherit from it.
  public let family: [Int]
  /// The table that holds the objects.
  public let table: String
  /// Whether several entities share the table.
  public let sharesTable: Bool
  /// The properties: inherited ones first, then attributes, then relationships, each sorted by name.
  public let slots: [Slot]
  /// How the slots' values lie in memory, close together.
  let kinds: [SlotKind]
  /// The slots that have a column, in the order of the columns.
  public let columnSlots: [Int]
  /// The slots whose values own memory, so that a row has to be taken apart slot by slot.
  public let owningSlots: [Int]
  /// The slots of relationships, whichever end has the keys.
  let linkSlots: [Int]
  /// The slot of each property by its rank; see `RankTable`.
  public let ranks: RankTable
  /// The slots in which a new object has something: a default value, or an empty list.
  let startSlots: [Int]
  /// The slots whose values are compared by their bytes where all are ordinary; see `TextForms`.
  let comparedSlots: [Int]
  /// For each slot where a row in memory keeps what was read of the property that the slot is, or is a part of, or what
  /// it was set to; 0 where that is nowhere.
  let keptPlaces: [Int]
  /// These places, behind the notes.
  private let kept: KeptPlaces
  /// How many bytes a row in memory takes.
  public let rowBytes: Int
  /// Where the notes begin in a row in memory, behind the bits of presence: a byte for each slot.
  public let notesOffset: Int
  /// Where the slots begin in a row in memory, behind the notes and the kept values.
  public let slotsOffset: Int
  /// Slots by name.
  public let slotNumbers: [String: Int]
  /// The constraints that are compared by columns, those of ancestors first.
  public let uniqueness: [UniqueConstraint]
  /// The slots of relationships that the constraints compare.
  let uniqueReferences: [Int]
  /// The slots that hold external values, derived values, and those kept when an object is deleted.
  public let externalSlots: [Int]
  /// The slots of derived attributes.
  public let derivedSlots: [Int]
  /// The slots that are kept when an object is deleted.
  public let preservedSlots: [Int]
  /// Whether the entity alone, or what it inherits, is refused a save by nothing: no required
  /// value, no limits.
  ///
  /// Saving then skips validation.
  let needsValidation: Bool
  /// The attributes that must have a value.
  let requiredSlots: [Int]
  /// The slots with more to check than that there is a value.
  let checkedSlots: [Int]
  /// What the identities of the objects have in common; nil while the layout is of no store.
  let origin = AtomicLazyReference<ObjectOrigin>()

  init(
    schema: Schema.Entity, index: Int, number: Int, root: Int, family: [Int], table: String,
    sharesTable: Bool, slots: [Slot], uniqueness: [[String]], levels: [Schema.Entity] = []
  ) {
    name = schema.name
    self.schema = schema
    self.index = index
    self.number = number
    self.root = root
    self.family = family
    self.table = table
    self.sharesTable = sharesTable
    var placed = slots
    var columns: [Int] = []
    for slot in placed.indices where placed[slot].column != nil {
      placed[slot].columnIndex = Int32(columns.count)
      columns.append(slot)
    }
    self.slots = placed
    kinds = placed.map(\.kind)
    columnSlots = columns
    owningSlots = placed.indices.filter { placed[$0].kind.ownsMemory }
    comparedSlots = columns.filter {
      placed[$0].isComparedText || placed[$0].isComparedNumber
    }
    linkSlots = placed.indices.filter { placed[$0].kind.isLink }
    startSlots = placed.indices.filter {
      placed[$0].kind == .related || placed[$0].defaultValue != .null
    }
    notesOffset = ((placed.count + 63) / 64) * 8
    let notesEnd = notesOffset + ((placed.count + 7) / 8) * 8
    kept = KeptPlaces(placed, from: notesEnd)
    keptPlaces = kept.places
    slotsOffset = kept.end
    rowBytes = slotsOffset + placed.count * Row.slotBytes
    let numbers = Dictionary(
      placed.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    slotNumbers = numbers
    ranks = RankTable(levels, placed)
    // What has no column is no constraint here; `Schema.checkUniqueness` refuses it.
    let constraints = uniqueness.compactMap { UniqueConstraint($0, placed) }
    self.uniqueness = constraints
    uniqueReferences = Set(constraints.flatMap(\.slots)).filter { placed[$0].kind == .reference }
      .sorted()
    func having(_ option: Schema.Attribute.Options) -> [Int] {
      placed.indices.filter { placed[$0].attribute?.options.contains(option) == true }
    }
    externalSlots = having(.externalStorage).filter {
      placed[$0].kind == .bytes && placed[$0].column != nil
    }
    preservedSlots = having(.preservedOnDeletion)
    derivedSlots = placed.indices.filter { placed[$0].attribute?.derivation != nil }
    requiredSlots = placed.indices.filter { placed[$0].isRequired }
    checkedSlots = placed.indices.filter { placed[$0].hasLimits }
    needsValidation = !requiredSlots.isEmpty || !checkedSlots.isEmpty
  }

  /// The layouts of all entities of a schema while their objects are in no store.
  public static func detached(of schema: Schema) -> [EntityLayout] {
    StoreLayout(schema, Catalogue().extended(for: schema)).entities
  }

  /// The layout of an entity's objects while they are in no store.
  public static func detached(_ entity: String, of schema: Schema) -> EntityLayout {
    let layout = StoreLayout(schema, Catalogue().extended(for: schema))
    // A name that the schema has not gives an entity without properties, which no store accepts.
    return layout.entity(entity)
      ?? EntityLayout(
        schema: Schema.Entity(name: entity), index: 0, number: 0, root: 0, family: [0],
        table: entity, sharesTable: false, slots: [], uniqueness: [])
  }

  /// The slots of the composite attribute that a slot is a part of; the slot itself where it is of none.
  public func parts(with slot: Int) -> [Int] { keptProperty(slot)?.slots ?? [slot] }

  /// Each place where a row keeps something.
  var allKeptPlaces: StrideTo<Int> { kept.all }

  /// The property that a place is for.
  func keptProperty(at place: Int) -> KeptProperty { kept.property(at: place) }

  /// The property that a slot is, or is a part of; nil where rows have no place for it.
  func keptProperty(_ slot: Int) -> KeptProperty? {
    let place = keptPlaces[slot]
    return place == 0 ? nil : kept.property(at: place)
  }

  /// The slot of the property of that name.
  public func slot(_ name: String) -> Int? { slotNumbers[name] }
}

extension SlotKind {
  /// Whether a value holds a reference that has to be released.
  var ownsMemory: Bool {
    switch self {
    case .integer, .double, .date, .uuid: false
    case .text, .decimal, .bytes, .reference, .related: true
    }
  }
}

extension SlotKind {
  /// Whether it is for other objects.
  var isLink: Bool { self == .reference || self == .related }
}

extension Slot {
  /// Whether it is a list whose members' places are in its table of pairs.
  var keepsPlaces: Bool {
    if case .pairs(let pairs)? = relationship?.place { return pairs.order != nil }
    return false
  }

  /// Whether it is an attribute that must have a value.
  var isRequired: Bool { attribute.map { !isOptional && $0.derivation == nil } ?? false }

  /// Whether some value, or some number of objects, would be refused at a save.
  var hasLimits: Bool {
    if let relationship {
      let schema = relationship.schema
      return !isOptional || schema.minimumCount > 0 || (schema.isToMany && schema.maximumCount > 0)
    }
    guard let attribute else { return false }
    return attribute.validation != Schema.Attribute.Validation()
      || attribute.type == .integer16 || attribute.type == .integer32
  }
}
