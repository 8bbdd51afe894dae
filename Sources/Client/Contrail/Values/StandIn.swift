import Foundation
import ObjectStore
import Synchronization

// What a getter returns where there is no value that it can return, in the order that is kept: the
// declared initial value, then the type's empty value.
extension PersistentModel {
  /// What stands for a value in one column.
  @inline(never)
  public func _standIn<Value: StorableValue>(_ rank: Int) -> Value {
    Self.declaredValue(rank) ?? Value._empty
  }

  /// What stands for a value where the store has a raw value that the type has not.
  @inline(never)
  public func _rawStandIn<Value: RawRepresentable>(_ rank: Int) -> Value
  where Value.RawValue: StorableValue {
    let object = managedObject
    let slot = object.slot(rank: rank)
    if object.isPresent(slot) { object._reportNoCase(slot) }
    return encodedStandIn(rank)
  }

  /// What stands for a value of any type.
  func encodedStandIn<Value>(_ rank: Int) -> Value {
    if let declared: Value = Self.declaredValue(rank) { return declared }
    let object = managedObject
    return object.given(object.slot(rank: rank)) as? Value ?? StandIn.value(Value.self)
  }

  /// The initial value that the class declares for a property; nil where it declares none.
  private static func declaredValue<Value>(_ rank: Int) -> Value? {
    let inquiry = DefaultInquiry(rank)
    _$setDefaults(ModelDefaults(answering: inquiry))
    return inquiry.value as? Value
  }

  /// The ranks of the properties that have declared values.
  static var ranksWithDefaults: Set<Int> {
    let inquiry = DefaultInquiry()
    _$setDefaults(ModelDefaults(answering: inquiry))
    return inquiry.ranks
  }
}

/// Makes some value of a type.
enum StandIn {
  /// Some value of a type that a schema has accepted.
  static func value<Value>(_ type: Value.Type) -> Value {
    guard let value = possible(type) else {
      fatalError("\(type) is read before it is set, and no value can be made; set it in init first")
    }
    return value
  }

  /// Whether some value of a type can be made; asked once for each type.
  static func isPossible<Value>(_ type: Value.Type) -> Bool {
    let key = ObjectIdentifier(type)
    if let known = answers.withLock({ $0[key] }) { return known }
    let found = possible(type) != nil
    answers.withLock { $0[key] = found }
    return found
  }

  private static let answers = Mutex<[ObjectIdentifier: Bool]>([:])

  /// Some value of a type; nil where none is known.
  static func possible<Value>(_ type: Value.Type) -> Value? {
    if let value = simple(type) { return value }
    guard let decodable = type as? any Decodable.Type else { return nil }
    return decoded(decodable) as? Value
  }

  /// Some value of a type that need not be decoded.
  static func simple<Value>(_ type: Value.Type) -> Value? {
    if let optional = type as? any OptionalValue.Type { return optional.noValue as? Value }
    if let storable = type as? any StorableValue.Type { return storable._empty as? Value }
    if let known = known(type) { return known }
    if let cases = type as? any CaseIterable.Type, let first = firstCase(cases) as? Value {
      return first
    }
    if let zero = zeroCase(type) { return zero }
    if let raw = type as? any RawRepresentable.Type, let value = rawValue(raw) as? Value {
      return value
    }
    return nil
  }

  /// Whether values of a type are in one column, or have no parts with names.
  static func isSimple<Value>(_ type: Value.Type) -> Bool {
    type is any StorableValue.Type || type is any RawRepresentable.Type
  }

  /// The cases of an enumeration; none where they cannot be told.
  static func cases<Value>(_ type: Value.Type) -> [Value] {
    if let cases = type as? any CaseIterable.Type {
      return allCases(cases).compactMap { $0 as? Value }
    }
    return plainCases(type)
  }

  private static func allCases<Cases: CaseIterable>(_ type: Cases.Type) -> [Any] {
    type.allCases.map { $0 }
  }

  /// The cases of an enumeration of one byte without payloads: they are numbered from 0.
  private static func plainCases<Value>(_ type: Value.Type) -> [Value] {
    guard MemoryLayout<Value>.size == 1, TypeKind(of: type) == .enumeration else {
      return zeroCase(type).map { [$0] } ?? []
    }
    return (0..<caseCount(type)).map { unsafeBitCast(UInt8(truncatingIfNeeded: $0), to: type) }
  }

  /// How many cases an enumeration has; 0 where some have payloads.
  private static func caseCount(_ type: any Any.Type) -> Int {
    guard let record = EnumerationRecord(type), record.payloadCount == 0 else { return 0 }
    return min(record.otherCount, 256)
  }

  /// Values of types that decode themselves from a name, of which not every text is one.
  private static func known<Value>(_ type: Value.Type) -> Value? {
    switch type {
    case is TimeZone.Type: TimeZone(secondsFromGMT: 0) as? Value
    case is Calendar.Type: Calendar(identifier: .gregorian) as? Value
    default: nil
    }
  }

  private static func firstCase<Cases: CaseIterable>(_ type: Cases.Type) -> Any? {
    type.allCases.first
  }

  private static func rawValue<Raw: RawRepresentable>(_ type: Raw.Type) -> Any? {
    possible(Raw.RawValue.self).flatMap { Raw(rawValue: $0) }
  }

  private static func decoded<Value: Decodable>(_ type: Value.Type) -> Any? {
    try? Value(from: ShapeDecoder())
  }

  /// The first of the keys that a type's parts have; nil where they may have none.
  static func firstKey<Key: CodingKey>(_ type: Key.Type) -> Key? {
    MemoryLayout<Key>.size > 0 ? zeroCase(type) : nil
  }

  /// The first case of an enumeration.
  ///
  /// An enumeration of one byte at most has its cases numbered from 0, or a payload of one byte: whether
  /// that is a number, a truth value or an enumeration again, 0 is one of its values.
  private static func zeroCase<Value>(_ type: Value.Type) -> Value? {
    guard MemoryLayout<Value>.size <= 1, TypeKind(of: type) == .enumeration else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { memory in
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      return memory.load(as: Value.self)
    }
  }
}
