import SQLiteDriver
import StoreFloors

/// A row as a Swift object, with a property for each column.
final class SampleItem {
  let key: Int64
  let version: Int64
  let title: String
  let place: String
  let remarks: String
  let tag: String
  let identifier: [UInt8]
  let count: Int64
  let rank: Int64
  let score: Double
  let price: Double
  let created: Double

  /// Makes it from a generated row, which is inserted with this key and the first version.
  init(_ row: floor_row, key: Int64 = 0) {
    self.key = key
    version = 1
    title = row.title.text
    place = row.place.text
    remarks = row.remarks.text
    tag = row.tag.text
    identifier = [UInt8](row.identifier.raw)
    count = row.count
    rank = row.rank
    score = row.score
    price = row.price
    created = row.created
  }

  /// Reads the row that `statement` is at.
  init(_ statement: Statement) {
    key = statement.integer(0)
    version = statement.integer(1)
    title = statement.text(2)
    place = statement.text(3)
    remarks = statement.text(4)
    tag = statement.text(5)
    identifier = statement.bytes(6)
    count = statement.integer(7)
    rank = statement.integer(8)
    score = statement.double(9)
    price = statement.double(10)
    created = statement.double(11)
  }

  /// Binds all that `FLOOR_SQL_INSERT` takes.
  func bind(to statement: Statement, key: Int64) {
    statement.bind(1, key)
    statement.bind(2, version)
    statement.bind(3, title)
    statement.bind(4, place)
    statement.bind(5, remarks)
    statement.bind(6, tag)
    statement.bind(7, identifier)
    statement.bind(8, count)
    statement.bind(9, rank)
    statement.bind(10, score)
    statement.bind(11, price)
    statement.bind(12, created)
  }

  /// The same sum that the floors make of a row.
  var checksum: Int64 {
    let bytes =
      title.utf8.count + place.utf8.count + remarks.utf8.count + tag.utf8.count + identifier.count
    return key + version + Int64(bytes) + count + rank + Int64(created)
  }
}

extension floor_bytes {
  /// The bytes, which live as long as the rows.
  var raw: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: Int(count)) }

  /// The bytes as a text.
  var text: String { String(decoding: raw, as: UTF8.self) }
}
