import DataModel
import JSONStream

/// One key of one kind of part: how it is written, and how it is read.
///
/// The rows of a part, in order, are the keys of its object.
struct JSONRow<Part>: Sendable {
  typealias Read =
    @Sendable (JSONValue, inout Part, inout ContrailJSONReading) throws(SchemaFormatError) -> Void
  typealias Path<Value> = any WritableKeyPath<Part, Value> & Sendable

  let key: String
  /// The feature of the part that the key tells.
  let aspect: Aspect?
  let isRequired: Bool
  /// The value; nil when it is as by default.
  let write: @Sendable (Part) -> JSONValue?
  let read: Read

  init(
    _ key: String, _ aspect: Aspect? = nil, isRequired: Bool = false,
    write: @escaping @Sendable (Part) -> JSONValue?, read: @escaping Read
  ) {
    self.key = key
    self.aspect = aspect
    self.isRequired = isRequired
    self.write = write
    self.read = read
  }

  /// What is written of `part`, in the order of the rows.
  static func members(of part: Part, by rows: [JSONRow]) -> [JSONMember] {
    rows.compactMap { row in row.write(part).map { JSONMember(row.key, $0) } }
  }

  /// The object of `part`.
  static func object(of part: Part, by rows: [JSONRow]) -> JSONValue {
    JSONValue(.object(members(of: part, by: rows)))
  }
}

extension JSONRow {
  /// A text that may be missing.
  static func text(_ key: String, _ aspect: Aspect?, _ path: Path<String?>) -> JSONRow {
    JSONRow(key, aspect) { part in
      part[keyPath: path].map { JSONValue(.string($0)) }
    } read: { (value, part, reading) throws(SchemaFormatError) in
      part[keyPath: path] = try reading.string(value)
    }
  }

  /// A text that is left out when it is empty, or that must be there.
  static func text(
    _ key: String, _ aspect: Aspect?, isRequired: Bool = false, _ path: Path<String>
  ) -> JSONRow {
    JSONRow(key, aspect, isRequired: isRequired) { part in
      let text = part[keyPath: path]
      return JSONValue(.string(text)).unless(text.isEmpty && !isRequired)
    } read: { (value, part, reading) throws(SchemaFormatError) in
      part[keyPath: path] = try reading.string(value)
    }
  }

  /// Yes or no; left out for no.
  static func flag(_ key: String, _ aspect: Aspect?, _ path: Path<Bool>) -> JSONRow {
    JSONRow(key, aspect) { part in
      JSONValue(true).unless(!part[keyPath: path])
    } read: { (value, part, reading) throws(SchemaFormatError) in
      part[keyPath: path] = try reading.boolean(value)
    }
  }

  /// A member of a set of options; left out when it is not in it.
  static func option<Options: OptionSet & Sendable>(
    _ key: String, _ aspect: Aspect?, _ option: Options, in path: Path<Options>
  ) -> JSONRow where Options.Element == Options {
    JSONRow(key, aspect) { part in
      JSONValue(true).unless(!part[keyPath: path].contains(option))
    } read: { (value, part, reading) throws(SchemaFormatError) in
      if try reading.boolean(value) { part[keyPath: path].formUnion(option) }
    }
  }

  /// A count; left out when it is what `normal` says.
  static func count(
    _ key: String, _ aspect: Aspect?, _ path: Path<Int>,
    unless normal: @escaping @Sendable (Part) -> Int
  ) -> JSONRow {
    JSONRow(key, aspect) { part in
      let count = part[keyPath: path]
      return JSONValue(.number(.integer(Int64(count)))).unless(count == normal(part))
    } read: { (value, part, reading) throws(SchemaFormatError) in
      part[keyPath: path] = try reading.count(value)
    }
  }

  /// One of the words of an enumeration; left out when it is `normal`, unless it must be there.
  static func word<Word: RawRepresentable & CaseIterable & Hashable & Sendable>(
    _ key: String, _ aspect: Aspect?, _ path: Path<Word>, unless normal: Word?
  ) -> JSONRow where Word.RawValue == String {
    JSONRow(key, aspect, isRequired: normal == nil) { part in
      let word = part[keyPath: path]
      return JSONValue(.string(word.rawValue)).unless(word == normal)
    } read: { (value, part, reading) throws(SchemaFormatError) in
      part[keyPath: path] = try reading.word(value)
    }
  }

  /// Texts in their order; left out when there are none.
  static func names(_ key: String, _ aspect: Aspect?, _ path: Path<[String]>) -> JSONRow {
    JSONRow(key, aspect) { part in
      let names = part[keyPath: path]
      return JSONValue(strings: names).unless(names.isEmpty)
    } read: { (value, part, reading) throws(SchemaFormatError) in
      part[keyPath: path] = try reading.strings(value)
    }
  }

  /// Texts by name, sorted; left out when there are none.
  static func dictionary(
    _ key: String, _ aspect: Aspect?, _ path: Path<[String: String]>
  ) -> JSONRow {
    JSONRow(key, aspect) { part in
      let entries = part[keyPath: path].sorted { $0.key.precedesInBytes($1.key) }
      let members = entries.map { JSONMember($0.key, JSONValue(.string($0.value))) }
      return JSONValue(.object(members)).unless(members.isEmpty)
    } read: { (value, part, reading) throws(SchemaFormatError) in
      part[keyPath: path] = try reading.dictionary(value)
    }
  }

  /// Parts by name; left out when there are none.
  static func parts<Child>(
    _ key: String, _ path: Path<[Child]>, name: @escaping @Sendable (Child) -> String,
    make: @escaping @Sendable (String) -> Child, rows: [JSONRow<Child>],
    element: @escaping @Sendable (Part, String) -> SchemaElement
  ) -> JSONRow {
    JSONRow(key) { part in
      let children = part[keyPath: path]
      let members = children.map { JSONMember(name($0), JSONRow<Child>.object(of: $0, by: rows)) }
      return JSONValue(.object(members)).unless(members.isEmpty)
    } read: { (value, part, reading) throws(SchemaFormatError) in
      let owner = part
      part[keyPath: path] = try reading.parts(value, make: make, rows: rows) {
        element(owner, $0)
      }
    }
  }
}

extension JSONValue {
  init(_ truth: Bool) { self.init(.boolean(truth)) }

  init(strings: [String]) { self.init(.array(strings.map { JSONValue(.string($0)) })) }

  /// The value, or none: a bare `nil` would be JSON's null.
  func unless(_ isLeftOut: Bool) -> JSONValue? { isLeftOut ? Optional.none : self }
}
