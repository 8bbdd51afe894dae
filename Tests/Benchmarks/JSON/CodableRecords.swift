import DataModel
import FoundationEssentials

/// A record for Foundation's coders.
struct CodableRecord: Decodable {
  let fields: [String: FieldValue]

  init(from decoder: any Decoder) throws {
    let wrapped = try decoder.singleValueContainer().decode([String: CodableField].self)
    fields = wrapped.mapValues(\.value)
  }
}

/// A field for Foundation's coders: an object of its type and its value.
struct CodableField: Codable {
  let value: FieldValue

  private enum Key: String, CodingKey { case value, type }

  init(_ value: FieldValue) { self.value = value }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(FieldType.self, forKey: .type) {
    case .string: value = .string(try container.decode(String.self, forKey: .value))
    case .double: value = .double(try container.decode(Double.self, forKey: .value))
    case .integer: value = .integer(try container.decode(Int64.self, forKey: .value))
    case .boolean: value = .boolean(try container.decode(Bool.self, forKey: .value))
    case .timestamp:
      value = .date(FieldType.date(try container.decode(Int64.self, forKey: .value)))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch value {
    case .string(let text): try container.encode(text, forKey: .value)
    case .double(let number): try container.encode(number, forKey: .value)
    case .integer(let number): try container.encode(number, forKey: .value)
    case .boolean(let truth): try container.encode(truth, forKey: .value)
    case .date(let time): try container.encode(FieldType.milliseconds(time), forKey: .value)
    default: try container.encodeNil(forKey: .value)
    }
    try container.encode(FieldType(of: value), forKey: .type)
  }
}
