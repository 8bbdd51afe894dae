import JSONStream

/// A line that is made of texts: its members say how it is read and written.
protocol SchemaTextLine: SchemaMessagePart {
  /// A line without any texts.
  static var blank: Self { get }
  /// Its texts, in the order in which they are written.
  static var members: [SchemaLineMember<Self>] { get }
}

/// One text of a line: its key, and where it goes.
struct SchemaLineMember<Line>: Sendable {
  let key: StaticString
  /// Whether there is no line without it.
  let isRequired: Bool
  let text: @Sendable (Line) -> String?
  let set: @Sendable (inout Line, String) -> Void

  /// A text that has to be there.
  static func required(
    _ key: StaticString, _ path: any WritableKeyPath<Line, String> & Sendable
  ) -> Self {
    Self(key: key, isRequired: true, text: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
  }

  /// A text that is empty where it is not there.
  static func text(
    _ key: StaticString, _ path: any WritableKeyPath<Line, String> & Sendable
  ) -> Self {
    Self(key: key, isRequired: false, text: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
  }

  /// A text that may be left out.
  static func optional(
    _ key: StaticString, _ path: any WritableKeyPath<Line, String?> & Sendable
  ) -> Self {
    Self(key: key, isRequired: false, text: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
  }
}

extension SchemaTextLine {
  init(reading json: inout JSONReader) throws {
    let members = Self.members
    var missing = Set(members.indices.filter { members[$0].isRequired })
    self = .blank
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      var index = 0
      while index < members.count, !(key == members[index].key) { index += 1 }
      guard index < members.count, let text = try json.text(members[index].key) else { continue }
      members[index].set(&self, text)
      missing.remove(index)
    }
    if let first = missing.min() { throw WireError.missing("\(members[first].key)") }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      for member in Self.members { json.member(member.key, ifPresent: member.text(self)) }
    }
  }
}
