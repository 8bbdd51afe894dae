import DataModel
import FoundationEssentials
import SQLiteDriver

// How a column that is not null is on the wire: one small function for each kind of value, so that a
// writer of JSON can call the same. Nil is a value that the wire cannot hold.
extension Statement {
  func wireDouble(_ column: Int32) -> Double? {
    // A NaN is kept as bytes.
    if kind(column) == .blob { return nil }
    let number = double(column)
    return number.isFinite ? number + 0 : nil
  }

  func wireFloat(_ column: Int32) -> Double? {
    kind(column) == .blob ? nil : double(column).singlePrecision
  }

  func wireDate(_ column: Int32) -> Int64? {
    kind(column) == .blob ? nil : CanonicalDate.milliseconds(double(column))
  }

  func wireDecimalText(_ column: Int32) -> String? { CanonicalDecimal.text(text(column)) }

  func wireDecimalNumber(_ column: Int32) -> Double? { CanonicalDecimal.number(text(column)) }

  func wireUUID(_ column: Int32) -> String? {
    withBytes(column) { bytes in
      bytes.count == 16 ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)).uuidString : nil
    }
  }

  func byteCount(_ column: Int32) -> Int { withBytes(column) { $0.count } }
}
