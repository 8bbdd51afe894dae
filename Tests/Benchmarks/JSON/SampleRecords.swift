import DataModel
import FoundationEssentials
import JSONStream

/// Records of ten fields and about 730 bytes of JSON, and their reader and writer: each field is an
/// object of its type and its value, as on the wire.
enum SampleRecords {
  typealias Record = [String: FieldValue]

  /// The same records every time: text with some escapes and letters beyond ASCII, doubles with all
  /// their digits and with few, integers, truth values, times in milliseconds.
  static func make(_ count: Int) -> [Record] {
    var random = SplitMix(state: 20)
    return (0..<count).map { index in
      let seconds = 1_760_000_000 + Double(index * 61)
      let remark = remarks[index % remarks.count]
      return [
        "tailNumber": .string("D-E\(["KQR", "ABC", "XYZ"][index % 3])"),
        "title": .string("Flight \(index) from Langeoog to Sankt Peter-Ording"),
        "remarks": .string(remark),
        "pilot": .string("0192F3C4-7A1B-7C3D-9E5F-\(100_000_000_000 + random.next() % 899_999)"),
        "flightTime": .double(Double(index % 40) * 0.1 + 0.1 + 0.2),
        "distance": .double(Double(random.next() % 1_000_000) / 1000),
        "landings": .integer(Int64(1 + index % 5)),
        "checksum": .integer(Int64(bitPattern: random.next())),
        "isNight": .boolean(index % 4 == 0),
        "departedAt": .date(Date(timeIntervalSince1970: seconds + 0.25)),
      ]
    }
  }

  private static let remarks = [
    "Smooth flight along the coast, landed after three circuits; the tower asked for a short "
      + "approach because of gliders to the south of the field.",
    "Wind from 240° at 18 kt, gusts to 27; crosswind landing on runway 27, then taxied to the "
      + "café on the northern apron. Größere Böen über der Düne.",
    "The instructor said: \"Keep the nose down\", and then:\n\t- check the fuel\n\t- check the "
      + "mixture\nOil at 6.5 quarts, path C:\\logs\\engine.",
    "Night circuit with full stop landings, lights dimmed on request. Left the aeroplane at the "
      + "pumps, keys with the club house, next service due in 12 hours.",
  ]
}

extension SampleRecords {
  static func read(_ bytes: [UInt8]) throws -> [Record] {
    try JSONReader.read(bytes) { reader in
      var records: [Record] = []
      let array = try reader.beginArray()
      while try reader.nextElement(of: array) { records.append(try readRecord(&reader)) }
      return records
    }
  }

  private static func readRecord(_ reader: inout JSONReader) throws(JSONError) -> Record {
    var record = Record(minimumCapacity: 10)
    let object = try reader.beginObject()
    while let key = try reader.nextKey(of: object) {
      record[key.string] = try readField(&reader)
    }
    return record
  }

  private static func readField(_ reader: inout JSONReader) throws(JSONError) -> FieldValue {
    var value = FieldValue.null
    var type = FieldType.string
    let object = try reader.beginObject()
    while let key = try reader.nextKey(of: object) {
      switch key {
      case "value": value = try readValue(&reader)
      case "type":
        guard let known = FieldType(try reader.readText()) else {
          throw reader.refusal(expected: "a field type", found: "another string")
        }
        type = known
      default: try reader.skipValue()
      }
    }
    return try type.convert(value, &reader)
  }

  /// Reads a value by its JSON type alone, for its field's type may come later.
  private static func readValue(_ reader: inout JSONReader) throws(JSONError) -> FieldValue {
    switch try reader.peekType() {
    case .string: return .string(try reader.readString())
    case .boolean: return .boolean(try reader.readBool())
    case .number:
      switch try reader.readNumber() {
      case .integer(let value): return .integer(value)
      case .double(let value): return .double(value)
      default: throw reader.refusal(expected: "64 bits", found: "a larger number")
      }
    default: throw reader.refusal(expected: "a scalar", found: "another value")
    }
  }
}

extension SampleRecords {
  static func bytes(_ records: [Record]) throws -> [UInt8] {
    var json = JSONWriter(bytesExpected: 768 * records.count)
    json.array { json in
      for record in records {
        json.object { json in
          for (name, value) in record {
            json.key(name)
            json.object { json in write(value, to: &json) }
          }
        }
      }
    }
    return try json.finish()
  }

  private static func write(_ value: FieldValue, to json: inout JSONWriter) {
    json.key("value")
    switch value {
    case .string(let text): json.string(text)
    case .double(let number): json.double(number)
    case .integer(let number): json.integer(number)
    case .boolean(let truth): json.boolean(truth)
    case .date(let time): json.integer(FieldType.milliseconds(time))
    default: json.null()
    }
    json.key("type")
    json.string(FieldType(of: value).rawValue)
  }
}

/// The types of the sample's fields, as the wire names them.
enum FieldType: String, Codable {
  case string = "STRING"
  case double = "DOUBLE"
  case integer = "INT64"
  case boolean = "BOOLEAN"
  case timestamp = "TIMESTAMP"

  init(of value: FieldValue) {
    switch value {
    case .double: self = .double
    case .integer: self = .integer
    case .boolean: self = .boolean
    case .date: self = .timestamp
    default: self = .string
    }
  }

  init?(_ name: JSONText) {
    switch name {
    case "STRING": self = .string
    case "DOUBLE": self = .double
    case "INT64": self = .integer
    case "BOOLEAN": self = .boolean
    case "TIMESTAMP": self = .timestamp
    default: return nil
    }
  }

  func convert(
    _ value: FieldValue, _ reader: inout JSONReader
  ) throws(JSONError) -> FieldValue {
    switch (self, value) {
    case (.string, .string), (.double, .double), (.integer, .integer), (.boolean, .boolean):
      return value
    case (.double, .integer(let number)): return .double(Double(number))
    case (.timestamp, .integer(let number)): return .date(Self.date(number))
    default:
      throw reader.refusal(expected: "a value of type \(rawValue)", found: "\(value.kind)")
    }
  }

  static func milliseconds(_ time: Date) -> Int64 {
    Int64((time.timeIntervalSince1970 * 1000).rounded())
  }

  static func date(_ milliseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }
}

/// Random numbers that are the same every time.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
