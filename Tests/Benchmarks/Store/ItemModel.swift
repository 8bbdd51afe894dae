import DataModel
import FoundationEssentials
import ObjectStore
import PredicateSQL
import StoreFloors

/// A typed model of the floors' rows, with the accessors that a macro would write.
final class ItemModel: PersistentModel {
  static let schema = Schema(
    name: "Bench",
    entities: [
      Schema.Entity(
        name: "Item",
        attributes: [
          Schema.Attribute(name: "title", type: .string),
          Schema.Attribute(name: "place", type: .string),
          Schema.Attribute(name: "remarks", type: .string),
          Schema.Attribute(name: "tag", type: .string),
          Schema.Attribute(name: "identifier", type: .uuid),
          Schema.Attribute(name: "count", type: .integer64),
          Schema.Attribute(name: "rank", type: .integer64),
          Schema.Attribute(name: "score", type: .double),
          Schema.Attribute(name: "price", type: .double),
          Schema.Attribute(name: "created", type: .date),
        ],
        indexes: [Schema.Index(name: "created", elements: [.init("created")])])
    ])
  static let detachedLayout = EntityLayout.detached("Item", of: schema)

  static let queryNames: any QueryNames = ListedQueryNames(properties: [
    \ItemModel.count: "count", \ItemModel.created: "created", \ItemModel.identifier: "identifier",
    \ItemModel.place: "place", \ItemModel.price: "price", \ItemModel.rank: "rank",
    \ItemModel.remarks: "remarks", \ItemModel.score: "score", \ItemModel.tag: "tag",
    \ItemModel.title: "title",
  ])

  // Attributes are sorted by name.
  private enum Slots {
    static let count = 0
    static let created = 1
    static let identifier = 2
    static let place = 3
    static let price = 4
    static let rank = 5
    static let remarks = 6
    static let score = 7
    static let tag = 8
    static let title = 9
  }

  private let handle: ModelHandle

  init(handle: consuming ModelHandle) { self.handle = handle }

  init(_ row: floor_row) {
    handle = ModelHandle(ManagedObject(new: Self.detachedLayout))
    title = row.title.text
    place = row.place.text
    remarks = row.remarks.text
    tag = row.tag.text
    identifier = UUID(uuid: row.identifier.raw.loadUnaligned(as: uuid_t.self))
    count = row.count
    rank = row.rank
    score = row.score
    price = row.price
    created = Date(timeIntervalSinceReferenceDate: row.created)
  }

  /// Fills an object of a batch, by the same slots.
  @inline(__always)
  static func fill(_ batch: inout BatchRow, from row: floor_row) {
    batch.set(Slots.title, row.title.text)
    batch.set(Slots.place, row.place.text)
    batch.set(Slots.remarks, row.remarks.text)
    batch.set(Slots.tag, row.tag.text)
    batch.set(Slots.identifier, UUID(uuid: row.identifier.raw.loadUnaligned(as: uuid_t.self)))
    batch.set(Slots.count, row.count)
    batch.set(Slots.rank, row.rank)
    batch.set(Slots.score, row.score)
    batch.set(Slots.price, row.price)
    batch.set(Slots.created, row.created)
  }

  var managedObject: ManagedObject { handle.object }

  var title: String {
    get { handle.object.text(Slots.title) }
    set { handle.object.set(Slots.title, newValue) }
  }
  var place: String {
    get { handle.object.text(Slots.place) }
    set { handle.object.set(Slots.place, newValue) }
  }
  var remarks: String {
    get { handle.object.text(Slots.remarks) }
    set { handle.object.set(Slots.remarks, newValue) }
  }
  var tag: String {
    get { handle.object.text(Slots.tag) }
    set { handle.object.set(Slots.tag, newValue) }
  }
  var identifier: UUID {
    get { handle.object.uuid(Slots.identifier) ?? UUID(uuid: UUID_NULL) }
    set { handle.object.set(Slots.identifier, newValue) }
  }
  var count: Int64 {
    get { handle.object.integer(Slots.count) }
    set { handle.object.set(Slots.count, newValue) }
  }
  var rank: Int64 {
    get { handle.object.integer(Slots.rank) }
    set { handle.object.set(Slots.rank, newValue) }
  }
  var score: Double {
    get { handle.object.double(Slots.score) }
    set { handle.object.set(Slots.score, newValue) }
  }
  var price: Double {
    get { handle.object.double(Slots.price) }
    set { handle.object.set(Slots.price, newValue) }
  }
  var created: Date {
    get { Date(timeIntervalSinceReferenceDate: handle.object.double(Slots.created)) }
    set { handle.object.set(Slots.created, newValue.timeIntervalSinceReferenceDate) }
  }

  /// The same sum that the floors make of a row.
  var checksum: Int64 {
    let bytes = title.utf8.count + place.utf8.count + remarks.utf8.count + tag.utf8.count + 16
    return managedObject.key + 1 + Int64(bytes) + count + rank
      + Int64(created.timeIntervalSinceReferenceDate)
  }
}

/// What stands for a UUID where there is none.
private let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
