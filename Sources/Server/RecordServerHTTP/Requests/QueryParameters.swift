import RecordWire

/// The parameters of a query, or of a form that was sent: `a=1&b=2`.
struct QueryParameters: Sendable {
  private var pairs: [(name: String, value: String)] = []

  /// How many parameters are looked at; what follows is ignored.
  static let countMax = 64

  /// Reads what stands behind the question mark.
  ///
  /// A plus sign stays one unless `isForm`: tokens are base64, and clients forget to encode them.
  init(_ query: ArraySlice<UInt8>?, isForm: Bool = false) {
    guard let query else { return }
    // NB: by bytes that lie in one piece, which takes a tenth of the time that characters take.
    query.withUnsafeBufferPointer { bytes in
      var (start, count) = (0, 0)
      while start < bytes.count, count < Self.countMax {
        let end = Self.place(of: UInt8(ascii: "&"), in: bytes, start..<bytes.count)
        if end > start {
          count += 1
          add(bytes, start..<end, isForm)
        }
        start = end + 1
      }
    }
  }

  /// Takes the parameter in a range, unless it is broken.
  private mutating func add(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ isForm: Bool
  ) {
    let end = Self.place(of: UInt8(ascii: "="), in: bytes, range)
    let value = min(end + 1, range.upperBound)..<range.upperBound
    guard
      let name = PercentCoding.decoded(
        UnsafeBufferPointer(rebasing: bytes[range.lowerBound..<end]), plusIsSpace: isForm),
      let value = PercentCoding.decoded(
        UnsafeBufferPointer(rebasing: bytes[value]), plusIsSpace: isForm)
    else { return }
    pairs.append((name, value))
  }

  /// Where a byte comes first in a range; the range's end where it does not.
  private static func place(
    of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Int {
    var place = range.lowerBound
    while place < range.upperBound, bytes[place] != byte { place += 1 }
    return place
  }

  /// The first value under a name.
  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}
