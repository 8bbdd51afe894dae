import Glibc
import RecordWire

/// A place on a sphere as large as the earth.
struct EarthPlace: Hashable, Sendable {
  /// The mean radius of the earth in metres.
  static let radius = 6_371_008.8

  let latitude: Double
  let longitude: Double
  private let x: Double
  private let y: Double
  private let z: Double

  init(_ location: RecordLocation) {
    latitude = location.latitude
    longitude = location.longitude
    let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
    x = cos(north) * cos(east)
    y = cos(north) * sin(east)
    z = sin(north)
  }

  /// The square of the straight line between both on a sphere of radius 1: it grows with the way over
  /// the ground, and needs no more trigonometry.
  func chord(to other: EarthPlace) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }

  /// The chord of a way over the ground in metres.
  static func chord(ofMetres metres: Double) -> Double {
    // Half around the earth is as far as one gets.
    let half = min(metres / radius / 2, .pi / 2)
    return 4 * sin(half) * sin(half)
  }
}

/// The strips of latitude by which places are found, each in the order of longitudes.
///
/// An entry is a strip and a longitude. Whatever is no place on earth has the entry `absent`, which is
/// looked at whatever is asked.
enum EarthStrips {
  /// How many strips a degree has: one is eleven kilometres wide.
  private static let perDegree = 10.0
  /// How many strips are sought one by one; a larger circle reads whole strips.
  static let soughtMax = 64

  /// The entry of a place.
  static func entry(_ location: RecordLocation) -> [UInt8] {
    guard abs(location.latitude) <= 90, abs(location.longitude) <= 180 else {
      return IndexBytes.absent
    }
    return [1] + strip(location.latitude) + step(location.longitude)
  }

  /// Ranges that hold every place within `metres` of `centre`.
  static func ranges(around centre: EarthPlace, metres: Double) -> [IndexRange] {
    let everything = [IndexRange.all]
    guard abs(centre.latitude) <= 90, abs(centre.longitude) <= 180 else { return everything }
    // A little more than needed, since the numbers are rounded.
    let reach = metres / EarthPlace.radius * 180 / .pi + 1e-6
    guard reach < 90 else { return everything }
    let (south, north) = (max(-90, centre.latitude - reach), min(90, centre.latitude + reach))
    let (first, last) = (number(south), number(north))
    let marked = IndexRange(only: IndexBytes.absent)
    guard last - first < soughtMax, abs(centre.latitude) + reach < 89.9 else {
      return [marked, IndexRange(from: [1] + bytes(first), before: [1] + bytes(last + 1))]
    }
    let spans = spans(around: centre, reach: reach)
    return [marked]
      + (first...last).flatMap { strip in
        spans.map { span in
          let start: [UInt8] = [1] + bytes(strip)
          return IndexRange(
            from: start + step(span.lowerBound),
            before: IndexRange.successor(of: start + step(span.upperBound)))
        }
      }
  }

  /// The longitudes that a circle reaches: two spans where it crosses the date line.
  private static func spans(
    around centre: EarthPlace, reach: Double
  ) -> [ClosedRange<Double>] {
    let ratio = sin(reach * .pi / 180) / cos(centre.latitude * .pi / 180)
    guard ratio < 1 else { return [-180...180] }
    let width = asin(ratio) * 180 / .pi + 1e-6
    guard width < 180 else { return [-180...180] }
    let (west, east) = (centre.longitude - width, centre.longitude + width)
    if west < -180 { return [-180...east, (west + 360)...180] }
    if east > 180 { return [west...180, -180...(east - 360)] }
    return [west...east]
  }

  private static func number(_ latitude: Double) -> Int {
    Int(((latitude + 90) * perDegree).rounded(.down))
  }

  private static func strip(_ latitude: Double) -> [UInt8] { bytes(number(latitude)) }

  private static func bytes(_ strip: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: strip >> 8), UInt8(truncatingIfNeeded: strip)]
  }

  /// A longitude from -180 to 180 as four bytes.
  private static func step(_ longitude: Double) -> [UInt8] {
    let share = min(max((longitude + 180) / 360, 0), 1)
    let number = UInt32(share * Double(UInt32.max))
    return withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
