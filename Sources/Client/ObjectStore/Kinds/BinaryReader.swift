import DataModel

/// Reads the bytes of a binary store strictly: each byte has one meaning, and none is left over.
struct BinaryReader {
  private let bytes: [UInt8]
  private var offset: Int
  private let end: Int
  private let subject: String

  private init(_ bytes: [UInt8], from offset: Int, to end: Int, subject: String) {
    self.bytes = bytes
    self.offset = offset
    self.end = end
    self.subject = subject
  }

  /// Reads a whole file.
  static func contents(of bytes: [UInt8], subject: String) throws -> ImageLoading.Contents {
    guard bytes.count <= BinaryFormat.fileBytesMax else {
      throw StoreError(
        .corrupt, subject, "has \(bytes.count) bytes, more than \(BinaryFormat.fileBytesMax)")
    }
    var reader = BinaryReader(bytes, from: 0, to: bytes.count, subject: subject)
    let (format, count) = try reader.header()
    var tables: [StoreImage.Table] = []
    for _ in 0..<count { tables.append(try reader.section()) }
    guard reader.offset == reader.end else {
      throw reader.corrupt("goes on after its last table")
    }
    var names: Set<String> = []
    if let twin = tables.first(where: { !names.insert($0.name.lowercased()).inserted }) {
      throw reader.corrupt("holds the table \"\(twin.name)\" twice")
    }
    let own = tables.filter { $0.name.hasPrefix(StoreImage.ownPrefix) }
    let others = tables.filter { !$0.name.hasPrefix(StoreImage.ownPrefix) }
    return ImageLoading.Contents(tablesFormat: format, ownTables: own) { _ in others }
  }

  /// Reads the header; the formats first, since a newer one may mean other bytes behind it.
  private mutating func header() throws -> (tablesFormat: Int64, sections: Int) {
    guard bytes.starts(with: BinaryFormat.magic) else {
      let isCut = BinaryFormat.magic.starts(with: bytes)
      throw isCut
        ? corrupt("is cut short after \(bytes.count) bytes")
        : StoreError(.notAStore, subject, "is no binary store")
    }
    offset = BinaryFormat.magic.count
    let version: UInt32 = try fixed()
    guard version <= BinaryFormat.version else {
      throw StoreFacts.newerFormat(Int64(version), subject)
    }
    let tablesFormat: UInt32 = try fixed()
    let count: UInt32 = try fixed()
    let expected = CRC32.checksum(bytes[0..<offset])
    let found: UInt32 = try fixed()
    guard found == expected, version > 0 else { throw corrupt("is damaged in its header") }
    guard count <= BinaryFormat.tablesMax else {
      throw corrupt("holds \(count) tables, more than \(BinaryFormat.tablesMax)")
    }
    return (Int64(tablesFormat), Int(count))
  }

  private mutating func section() throws -> StoreImage.Table {
    let start = offset
    let length: UInt64 = try fixed()
    let expected: UInt32 = try fixed()
    guard let count = Int(exactly: length), count <= end - offset else {
      throw corrupt("is cut short: \(end) bytes, and the table at byte \(start) needs \(length)")
    }
    guard CRC32.checksum(bytes[offset..<offset + count]) == expected else {
      throw corrupt("is damaged: the checksum of the table at byte \(start) is wrong")
    }
    var reader = BinaryReader(bytes, from: offset, to: offset + count, subject: subject)
    offset += count
    let table = try reader.table()
    guard reader.offset == reader.end else {
      throw reader.corrupt("holds bytes behind the rows of \"\(table.name)\"")
    }
    return table
  }

  private mutating func table() throws -> StoreImage.Table {
    let name = try text()
    let flags = try byte()
    guard flags <= BinaryFormat.Flag.described | BinaryFormat.Flag.withoutRowID else {
      throw corrupt("describes \"\(name)\" in words of a newer version")
    }
    let isDescribed = flags & BinaryFormat.Flag.described != 0
    let columnCount = try count(eachAtLeast: 1)
    guard (1...BinaryFormat.columnsMax).contains(columnCount) else {
      throw corrupt("gives \"\(name)\" \(columnCount) columns")
    }
    var table = StoreImage.Table(
      name: name, columns: [], isDescribed: isDescribed,
      isWithoutRowID: flags & BinaryFormat.Flag.withoutRowID != 0)
    for _ in 0..<columnCount {
      var column = StoreImage.Column(name: try text())
      if isDescribed {
        column.type = try text()
        column.isNotNull = try byte() != 0
        let position = try number()
        guard position <= BinaryFormat.columnsMax else {
          throw corrupt("describes \"\(name)\" with a key of \(position) columns")
        }
        column.keyPosition = Int(position)
      }
      table.columns.append(column)
    }
    let rowCount = try count(eachAtLeast: columnCount)
    table.cells.reserveCapacity(rowCount * columnCount)
    for _ in 0..<rowCount * columnCount { table.cells.append(try cell()) }
    return table
  }

  private mutating func cell() throws -> FieldValue {
    let tag = try byte()
    switch BinaryFormat.Tag(rawValue: tag) {
    case .null: return .null
    case .integer:
      let value = try number()
      return .integer(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
    case .double:
      let value = Double(bitPattern: try fixed())
      // SQLite would make null of it; the store keeps NaN in another form.
      if value.isNaN { throw corrupt("holds a number at byte \(offset) that no store has") }
      return .double(value)
    case .text: return .string(try text())
    case .bytes:
      let count = try count(eachAtLeast: 1)
      defer { offset += count }
      return .data(Array(bytes[offset..<offset + count]))
    case nil: throw corrupt("holds a value of unknown kind \(tag) at byte \(offset - 1)")
    }
  }
}

extension BinaryReader {
  private func corrupt(_ message: String) -> StoreError {
    StoreError(.corrupt, subject, message, fix: "restore it from a backup")
  }

  private func ended() -> StoreError { corrupt("is cut short at byte \(end)") }

  private mutating func byte() throws -> UInt8 {
    guard offset < end else { throw ended() }
    defer { offset += 1 }
    return bytes[offset]
  }

  private mutating func fixed<Number: FixedWidthInteger>() throws -> Number {
    let width = Number.bitWidth / 8
    guard end - offset >= width else { throw ended() }
    defer { offset += width }
    return bytes[offset..<offset + width].reversed().reduce(0) { $0 << 8 | Number($1) }
  }

  private mutating func number() throws -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      let byte = try byte()
      // The tenth byte has room for one bit.
      if shift == 63, byte > 1 { break }
      value |= UInt64(byte & 0x7f) << shift
      if byte & 0x80 == 0 { return value }
    }
    throw corrupt("holds a number at byte \(offset) that is too long")
  }

  /// A number of things that follow, each of at least so many bytes: no more than can still come.
  private mutating func count(eachAtLeast size: Int) throws -> Int {
    let value = try number()
    guard let count = Int(exactly: value), count <= (end - offset) / max(1, size) else {
      throw corrupt("counts \(value) things at byte \(offset), more than can follow")
    }
    return count
  }

  private mutating func text() throws -> String {
    let count = try count(eachAtLeast: 1)
    defer { offset += count }
    guard let text = String(validating: bytes[offset..<offset + count], as: UTF8.self) else {
      throw corrupt("holds text at byte \(offset) that is not UTF-8")
    }
    return text
  }
}
