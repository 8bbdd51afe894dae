import DataModel
import FoundationEssentials
import SQLiteDriver

/// What a REAL column holds for a NaN, of which SQLite would make null.
let storedNaN: [UInt8] = [0x4e, 0x61, 0x4e]

extension Row {
  /// Binds the value of a slot.
  @inline(__always)
  func bind(_ slot: Int, _ layout: EntityLayout, to statement: Statement, at parameter: Int32) {
    guard isPresent(slot) else { return statement.bindNull(parameter) }
    switch layout.kinds[slot] {
    case .integer: statement.bind(parameter, integer(slot, layout))
    case .double, .date:
      let value = double(slot, layout)
      if value.isNaN {
        statement.bind(parameter, storedNaN)
      } else {
        statement.bind(parameter, value)
      }
    case .text, .decimal: statement.bind(parameter, text(slot, layout))
    case .uuid:
      withUnsafeBytes(of: uuid(slot, layout)) { statement.bind(parameter, $0) }
    case .bytes:
      let value = bytes(slot, layout)
      if let file = value.file {
        statement.bind(parameter, file.name)
      } else {
        statement.bind(parameter, value.bytes)
      }
    case .reference:
      let reference = reference(slot, layout)
      let key = reference.object?.key ?? reference.key
      // A key that lasts: the writer has given one to all that is inserted.
      if key > 0 { statement.bind(parameter, key) } else { statement.bindNull(parameter) }
    case .related: statement.bindNull(parameter)
    }
  }

  /// Reads the values of all slots with columns from a row whose first slot's column is `first`.
  @inline(__always)
  func read(_ layout: EntityLayout, from statement: Statement, first: Int32) {
    var column = first
    for slot in layout.columnSlots {
      read(slot, layout, from: statement, column)
      column += 1
    }
  }

  /// Reads one slot, which has no value yet.
  ///
  /// A value of another storage class than the column's, which only another program can have
  /// written, is converted as SQLite does.
  @inline(__always)
  func read(_ slot: Int, _ layout: EntityLayout, from statement: Statement, _ column: Int32) {
    // Only what reads as nothing is asked whether it is null: asking costs as much as reading.
    switch layout.kinds[slot] {
    case .integer:
      let value = statement.integer(column)
      if value == 0 && statement.isNull(column) { return }
      set(slot, value, layout)
    case .double, .date:
      let value = statement.double(column)
      if value == 0 { return readZero(slot, layout, from: statement, column) }
      set(slot, value, layout)
    case .text, .decimal:
      if let text = statement.textIfAny(column) { begin(slot, text, layout) }
    case .uuid:
      guard let value = statement.withBytes(column, UUID.init(bytes:)) else { return }
      set(slot, value, layout)
    case .bytes:
      let kind = statement.kind(column)
      if kind == .null { return }
      begin(
        slot,
        kind == .text
          ? BytesSlot(bytes: [], file: ExternalValue(name: statement.text(column)))
          : BytesSlot(bytes: statement.bytes(column), file: nil), layout)
    case .reference:
      let key = statement.integer(column)
      if key == 0 && statement.isNull(column) { return }
      begin(slot, ReferenceSlot(key: key, object: nil), layout)
    case .related: return
    }
  }

  /// Reads a floating-point number that reads as 0: it may be null, or the bytes that stand for NaN.
  private func readZero(
    _ slot: Int, _ layout: EntityLayout, from statement: Statement, _ column: Int32
  ) {
    switch statement.kind(column) {
    case .null: return
    case .blob: set(slot, Double.nan, layout)
    case .integer, .real, .text: set(slot, statement.double(column), layout)
    }
  }
}

extension UUID {
  /// Takes 16 bytes; nil for any other number.
  init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}
