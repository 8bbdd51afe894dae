public import RecordWire

/// How two edits of one field become one, when the server's and ours were made without knowledge of each
/// other.
public enum MergeRule: Sendable {
  /// The later edit wins, by the field's clocks.
  case lastEdit
  /// The server's edit wins.
  case server
  /// Ours wins.
  case client
  /// Both count: what either added to the common value is added to it.
  case counter
  /// The members of both sets: those of lists, or the lines of texts.
  case union
  /// The lesser value.
  case minimum
  /// The greater value.
  case maximum
  /// What the program says.
  ///
  /// It is asked on every device, and again after further edits: the same conflict must get the same answer.
  case custom(@Sendable (FieldConflict) -> RecordValue)
}

/// One field that was edited here and on the server since both had the same value.
public struct FieldConflict: Hashable, Sendable {
  /// The field.
  public var name: String
  /// What both had; null where neither had anything.
  public var base: RecordValue
  /// What it is here.
  public var local: RecordValue
  /// What it is on the server.
  public var server: RecordValue
  /// When it was edited here.
  public var localClock: FieldClock
  /// When it was edited by whoever sent it to the server.
  public var serverClock: FieldClock

  /// Describes a conflict.
  public init(
    name: String, base: RecordValue, local: RecordValue, server: RecordValue,
    localClock: FieldClock, serverClock: FieldClock
  ) {
    self.name = name
    self.base = base
    self.local = local
    self.server = server
    self.localClock = localClock
    self.serverClock = serverClock
  }
}

extension MergeRule {
  /// The value that both sides shall have.
  ///
  /// A rule that cannot do with such values, a counter of texts, falls back to the later edit.
  public func value(for conflict: FieldConflict) -> RecordValue {
    switch self {
    case .lastEdit: conflict.laterEdit
    case .server: conflict.server
    case .client: conflict.local
    case .counter: conflict.sum ?? conflict.laterEdit
    case .union: conflict.union ?? conflict.laterEdit
    case .minimum: conflict.extreme { $0 } ?? conflict.laterEdit
    case .maximum: conflict.extreme { !$0 } ?? conflict.laterEdit
    case .custom(let decide): decide(conflict)
    }
  }
}

extension FieldConflict {
  var laterEdit: RecordValue { serverClock < localClock ? local : server }

  /// The common value with what either side added; whole numbers stop at their limits.
  fileprivate var sum: RecordValue? {
    switch (base.orZero(like: server), local, server) {
    case (.int64(let base), .int64(let local), .int64(let server)):
      let added = local.subtractingClamped(base)
      return .int64(server.addingClamped(added))
    case (.double(let base), .double(let local), .double(let server)):
      let sum = server + (local - base)
      return sum.isFinite ? .double(sum) : nil
    default: return nil
    }
  }

  /// What is in either set and was not taken out of one: a member of the common set stays only where
  /// both still have it.
  fileprivate var union: RecordValue? {
    switch (local, server) {
    case (.string(let local), .string(let server)):
      let members = Self.merged(
        base: base.lines, local: RecordValue.string(local).lines,
        server: RecordValue.string(server).lines)
      return .string(members.map(\.text).joined(separator: "\n"))
    case (.list(let local, let type), .list(let server, let other)) where type == other:
      let members = Self.merged(
        base: base.elements, local: local.map(SetMember.init), server: server.map(SetMember.init))
      return .list(members.map(\.value), of: type)
    default: return nil
    }
  }

  private static func merged(
    base: [SetMember], local: [SetMember], server: [SetMember]
  ) -> [SetMember] {
    let (before, here, there) = (Set(base), Set(local), Set(server))
    var seen: Set<SetMember> = []
    // The server's order first, so that every device makes the same list.
    return (server + local).filter { member in
      let isKept =
        before.contains(member) ? here.contains(member) && there.contains(member) : true
      return isKept && seen.insert(member).inserted
    }
  }

  /// The value that comes first, or last, where both can be ordered.
  fileprivate func extreme(_ picksLocal: (_ localIsLess: Bool) -> Bool) -> RecordValue? {
    guard let isLess = local.isLess(than: server) else { return nil }
    return picksLocal(isLess) ? local : server
  }
}

/// A member of a set, told from others by its bytes.
private struct SetMember: Hashable {
  let value: RecordValue
  private let bytes: [UInt8]

  init(_ value: RecordValue) {
    self.value = value
    bytes = (try? FieldBytes(RecordFields([("", RecordField(value))])).json) ?? []
  }

  var text: String {
    if case .string(let text) = value { text } else { "" }
  }

  static func == (left: SetMember, right: SetMember) -> Bool { left.bytes == right.bytes }
  func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension RecordValue {
  fileprivate var lines: [SetMember] {
    guard case .string(let text) = self else { return [] }
    return text.split(separator: "\n").map { SetMember(.string(String($0))) }
  }

  fileprivate var elements: [SetMember] {
    if case .list(let elements, _) = self { elements.map(SetMember.init) } else { [] }
  }

  /// The value, or nothing as the zero of another value's type.
  fileprivate func orZero(like other: RecordValue) -> RecordValue {
    guard case .null = self else { return self }
    return switch other {
    case .int64: .int64(0)
    case .double: .double(0)
    default: self
    }
  }

  /// Whether the value is less than another of its type; nil where they have no order.
  fileprivate func isLess(than other: RecordValue) -> Bool? {
    switch (self, other) {
    case (.int64(let a), .int64(let b)), (.timestamp(let a), .timestamp(let b)): a < b
    case (.double(let a), .double(let b)): a < b
    case (.string(let a), .string(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    default: nil
    }
  }
}

extension Int64 {
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
