/// The fields of a record by name, in the canonical order: by the bytes of their names.
///
/// A short sorted array is quicker to make and to write than a dictionary, and takes two names for
/// one only where their bytes are equal.
public struct RecordFields: Hashable, Sendable {
  /// One field and its name.
  public struct Entry: Hashable, Sendable {
    /// The field's name.
    public let name: String
    /// Its value.
    public var field: RecordField

    /// Names a field.
    public init(name: String, field: RecordField) {
      self.name = name
      self.field = field
    }
  }

  /// The fields in order.
  public private(set) var entries: [Entry] = []

  /// Makes no fields at all.
  public init() {}

  /// Takes fields in any order; of several with one name, the last.
  public init(_ fields: some Sequence<(String, RecordField)>) {
    for (name, field) in fields { self[name] = field }
  }

  /// The field of that name; setting nil takes it away.
  public subscript(name: String) -> RecordField? {
    get {
      let place = place(of: name)
      return place.isTaken ? entries[place.index].field : nil
    }
    set {
      let place = place(of: name)
      switch (place.isTaken, newValue) {
      case (true, let field?): entries[place.index].field = field
      case (true, nil): entries.remove(at: place.index)
      case (false, let field?): entries.insert(Entry(name: name, field: field), at: place.index)
      case (false, nil): break
      }
    }
  }

  /// The names in order.
  public var names: [String] { entries.map(\.name) }
  /// Whether there is none.
  public var isEmpty: Bool { entries.isEmpty }
  /// How many there are.
  public var count: Int { entries.count }

  /// About how many bytes names and values take, by which a record's size is limited.
  public var byteCount: Int {
    entries.reduce(0) { $0 + $1.name.utf8.count + $1.field.value.byteCount }
  }

  /// Takes entries whose names are all different.
  init(distinct entries: [Entry]) {
    self.entries = entries
    var isSorted = true
    for index in entries.indices.dropFirst()
    where !entries[index - 1].name.precedesByBytes(entries[index].name) {
      isSorted = false
      break
    }
    if !isSorted {
      self.entries.sort { $0.name.precedesByBytes($1.name) }
    }
  }

  private func place(of name: String) -> (index: Int, isTaken: Bool) {
    // Fields are mostly given in their order.
    guard let last = entries.last, !last.name.precedesByBytes(name) else {
      return (entries.count, false)
    }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].name.precedesByBytes(name) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    let isTaken = low < entries.count && entries[low].name.utf8.elementsEqual(name.utf8)
    return (low, isTaken)
  }
}

extension String {
  /// Whether the text's bytes come before those of another.
  ///
  /// The standard library's comparison of UTF-8 views goes byte by byte, through an iterator.
  fileprivate func precedesByBytes(_ other: String) -> Bool {
    var (one, two) = (self, other)
    return one.withUTF8 { one in
      two.withUTF8 { two in
        for index in 0..<min(one.count, two.count) where one[index] != two[index] {
          return one[index] < two[index]
        }
        return one.count < two.count
      }
    }
  }
}

extension RecordFields: ExpressibleByDictionaryLiteral {
  /// Makes fields that are not encrypted; of several with one name, the last.
  public init(dictionaryLiteral elements: (String, RecordValue)...) {
    self.init(elements.lazy.map { ($0, RecordField($1)) })
  }
}

/// Names of the fields that are wanted; nil in a request means all.
public struct DesiredKeys: Hashable, Sendable {
  /// The names by their bytes, each once.
  public let names: [String]
  private let sorted: [[UInt8]]

  /// Takes names in any order.
  public init(_ names: some Sequence<String>) {
    let sorted = names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    var distinct: [[UInt8]] = []
    for name in sorted where distinct.last != name { distinct.append(name) }
    self.sorted = distinct
    self.names = distinct.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the field of that name is wanted.
  public func contains(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { contains(utf8: $0) }
  }

  /// Whether the field is wanted whose name has those bytes.
  func contains(utf8 name: UnsafeBufferPointer<UInt8>) -> Bool {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = low + (high - low) / 2
      if sorted[middle].lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low].elementsEqual(name)
  }
}

extension DesiredKeys: ExpressibleByArrayLiteral {
  /// Takes names in any order.
  public init(arrayLiteral elements: String...) { self.init(elements) }
}
