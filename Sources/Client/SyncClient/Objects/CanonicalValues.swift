import DataModel
import FoundationEssentials
import ObjectStore
import RecordWire

// What becomes of a value on its way into the store, kind by kind; `FieldPlace.store` writes the same.
extension FieldPlace {
  /// The value as reading gives it after it was written; nil where the field cannot take it.
  func asStored(_ value: RecordValue) -> RecordValue? {
    guard let value = try? value.coerced(to: type, isList: false) else { return nil }
    switch (kind, value) {
    case (_, .null): return whenEmpty
    case (.integer(let bits), .int64(let number)):
      return number.fits(bits) ? value : nil
    case (.boolean, .int64(let number)): return .int64(number == 0 ? 0 : 1)
    case (.double, .double(let number)): return number.isFinite ? .double(number + 0) : nil
    case (.float, .double(let number)): return number.singlePrecision.map { .double($0) }
    case (.decimalNumber, .double(let number)):
      return CanonicalDecimal.text(number).flatMap(CanonicalDecimal.number).map { .double($0) }
    case (.decimalText, .string(let text)): return CanonicalDecimal.text(text).map { .string($0) }
    case (.uuid, .string(let text)):
      return UUID(uuidString: text).map { .string($0.uuidString) }
    case (.date, .timestamp(let time)):
      return CanonicalDate.seconds(time).flatMap(CanonicalDate.milliseconds).map { .timestamp($0) }
    default: return value
    }
  }

  /// Puts an attribute's value into a row; false, and nothing is put there, where it cannot take it.
  func store(_ value: RecordValue, in row: inout ImportRow) -> Bool {
    switch (kind, value) {
    case (_, .null): return storeNothing(in: &row)
    case (.integer(let bits), .int64(let number)):
      return number.fits(bits) && row.set(slot, number)
    case (.boolean, .int64(let number)): return row.set(slot, Int64(number == 0 ? 0 : 1))
    case (.order, .int64(let number)): return row.set(slot, number)
    case (.double, .double(let number)): return number.isFinite && row.set(slot, number + 0)
    case (.float, .double(let number)):
      return number.singlePrecision.map { row.set(slot, $0) } ?? false
    case (.decimalNumber, .double(let number)):
      return CanonicalDecimal.text(number).map { row.set(slot, $0) } ?? false
    case (.decimalText, .string(let text)):
      return CanonicalDecimal.text(text).map { row.set(slot, $0) } ?? false
    case (.text, .string(let text)): return row.set(slot, text)
    case (.uuid, .string(let text)):
      return UUID(uuidString: text).map { row.set(slot, $0) } ?? false
    case (.date, .timestamp(let time)):
      return CanonicalDate.seconds(time).map { row.set(slot, $0) } ?? false
    case (.bytes, .bytes(let bytes)), (.file, .bytes(let bytes)): return row.set(slot, bytes)
    default: return false
    }
  }

  private func storeNothing(in row: inout ImportRow) -> Bool {
    if case .null = whenEmpty {
      // A file is empty where it may not be absent; reading gives none for either.
      if case .file = kind, !isOptionalFile(row.layout) { return row.set(slot, [UInt8]()) }
      return row.clear(slot)
    }
    return store(whenEmpty, in: &row)
  }

  private func isOptionalFile(_ layout: EntityLayout) -> Bool { layout.slots[slot].isOptional }
}

extension FieldPlace.Kind {
  /// What an attribute that must have a value has when none was given: its default, or the type's empty
  /// value.
  func required(_ defaultValue: FieldValue?) -> RecordValue {
    // A file's emptiness is no field.
    if case .file = self { return .null }
    return defaultValue.flatMap(canonical) ?? emptyValue
  }

  private var emptyValue: RecordValue {
    switch self {
    case .integer, .boolean, .order: .int64(0)
    case .double, .float, .decimalNumber: .double(0)
    case .decimalText: .string("0")
    case .text, .entityName: .string("")
    case .uuid: .string("00000000-0000-0000-0000-000000000000")
    // The moment that zero stands for in the store, 2001.
    case .date: .timestamp(CanonicalDate.offset)
    case .bytes: .bytes([])
    case .file, .toOne, .farToOne: .null
    }
  }

  /// A value of the schema as the wire has it; nil for one that is no value of this kind.
  private func canonical(_ value: FieldValue) -> RecordValue? {
    switch (self, value) {
    case (.integer(let bits), .integer(let number)): number.fits(bits) ? .int64(number) : nil
    case (.boolean, .boolean(let flag)): .int64(flag ? 1 : 0)
    case (.boolean, .integer(let number)): .int64(number == 0 ? 0 : 1)
    case (.double, .double(let number)): number.isFinite ? .double(number + 0) : nil
    case (.double, .integer(let number)): .double(Double(number))
    case (.float, .double(let number)): number.singlePrecision.map { .double($0) }
    case (.float, .integer(let number)): Double(number).singlePrecision.map { .double($0) }
    case (.decimalText, .decimal(let number)):
      CanonicalDecimal.text(number.description).map { .string($0) }
    case (.decimalText, .integer(let number)): .string(String(number))
    case (.decimalNumber, .decimal(let number)):
      CanonicalDecimal.number(number.description).map { .double($0) }
    case (.decimalNumber, .integer(let number)):
      CanonicalDecimal.number(String(number)).map { .double($0) }
    case (.text, .string(let text)), (.text, .uri(let text)): .string(text)
    case (.uuid, .uuid(let value)): .string(value.uuidString)
    case (.date, .date(let date)):
      CanonicalDate.milliseconds(date.timeIntervalSinceReferenceDate).map { .timestamp($0) }
    case (.bytes, .data(let bytes)): .bytes(bytes)
    default: nil
    }
  }
}

extension Int64 {
  /// Whether the number has so many bits at most.
  func fits(_ bits: Int) -> Bool {
    switch bits {
    case 16: Int16(exactly: self) != nil
    case 32: Int32(exactly: self) != nil
    default: true
    }
  }
}

extension Double {
  /// The nearest number of single precision, and zero for minus zero; nil where that is not finite.
  var singlePrecision: Double? {
    let narrow = Float(self)
    return narrow.isFinite ? Double(narrow) + 0 : nil
  }
}
