import Contrail
import StoreFloors

/// The floors' rows as a program would declare them.
@Model final class FaceItem {
  #Index<FaceItem>([\.created])

  var title: String
  var place: String
  var remarks: String
  var tag: String
  var identifier: UUID
  var count: Int
  var rank: Int
  var score: Double
  var price: Double
  var created: Date

  init(_ row: floor_row) {
    title = row.title.text
    place = row.place.text
    remarks = row.remarks.text
    tag = row.tag.text
    identifier = UUID(uuid: row.identifier.raw.loadUnaligned(as: uuid_t.self))
    count = Int(row.count)
    rank = Int(row.rank)
    score = row.score
    price = row.price
    created = Date(timeIntervalSinceReferenceDate: row.created)
  }

  /// The same sum that the floors make of a row.
  var checksum: Int64 {
    let bytes = title.utf8.count + place.utf8.count + remarks.utf8.count + tag.utf8.count + 16
    return managedObject.key + 1 + Int64(bytes + count + rank)
      + Int64(created.timeIntervalSinceReferenceDate)
  }
}
