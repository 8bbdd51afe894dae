import DataModel

/// The format of binary stores.
///
/// A header: the 16 bytes of `magic`, the format, the format of the tables, the number of sections, and
/// the CRC-32 of these 28 bytes. Then the sections, one for each table: the number of its bytes, their
/// CRC-32, and the bytes. Numbers of fixed width are little-endian; all others are written with seven
/// bits in a byte, the lowest first, where the high bit says that more follow.
enum BinaryFormat {
  /// How a file begins.
  static let magic = Array("Contrail binary\n".utf8)
  /// The format that is written; a file with a higher one is refused.
  static let version: UInt32 = 1
  /// The magic, three numbers, and the checksum.
  static let headerBytes = 32
  /// The number of a section's bytes, and their checksum.
  static let sectionHeadBytes = 12
  /// The most bytes of a file.
  static let fileBytesMax = 1 << 30
  /// The most tables.
  static let tablesMax = 100_000
  /// The most columns of a table, as SQLite has it by default.
  static let columnsMax = 2000

  /// What a cell begins with.
  enum Tag: UInt8 {
    case null = 0
    case integer = 1
    case double = 2
    case text = 3
    case bytes = 4
  }

  /// What a table's section begins with.
  enum Flag {
    static let described: UInt8 = 1
    static let withoutRowID: UInt8 = 2
  }
}

/// Writes an image as the bytes of a binary store.
struct BinaryWriter {
  private var bytes: [UInt8] = []

  static func bytes(of image: StoreImage, subject: String) throws -> [UInt8] {
    var writer = BinaryWriter()
    let tables = image.ownTables + image.objectTables
    writer.bytes += BinaryFormat.magic
    writer.fixed(BinaryFormat.version)
    writer.fixed(UInt32(clamping: image.tablesFormat))
    writer.fixed(UInt32(clamping: tables.count))
    writer.fixed(CRC32.checksum(writer.bytes))
    for table in tables { writer.section(table) }
    // What could not be read again must not be written.
    guard writer.bytes.count <= BinaryFormat.fileBytesMax else {
      throw StoreError(
        .writeFailed, subject,
        "is too large for a binary store: \(writer.bytes.count) bytes of at most "
          + "\(BinaryFormat.fileBytesMax)", fix: "copy it to an SQLite store")
    }
    return writer.bytes
  }

  private mutating func section(_ table: StoreImage.Table) {
    var section = BinaryWriter()
    section.write(table)
    fixed(UInt64(section.bytes.count))
    fixed(CRC32.checksum(section.bytes))
    bytes += section.bytes
  }

  private mutating func write(_ table: StoreImage.Table) {
    text(table.name)
    bytes.append(
      (table.isDescribed ? BinaryFormat.Flag.described : 0)
        | (table.isWithoutRowID ? BinaryFormat.Flag.withoutRowID : 0))
    number(UInt64(table.columns.count))
    for column in table.columns {
      text(column.name)
      guard table.isDescribed else { continue }
      text(column.type)
      bytes.append(column.isNotNull ? 1 : 0)
      number(UInt64(max(0, column.keyPosition)))
    }
    number(UInt64(table.rowCount))
    for cell in table.cells { write(cell) }
  }

  private mutating func write(_ cell: FieldValue) {
    switch cell {
    case .integer(let value):
      bytes.append(BinaryFormat.Tag.integer.rawValue)
      // Small numbers of either sign become short ones.
      number(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    case .double(let value):
      bytes.append(BinaryFormat.Tag.double.rawValue)
      fixed(value.bitPattern)
    case .string(let value):
      bytes.append(BinaryFormat.Tag.text.rawValue)
      text(value)
    case .data(let value):
      bytes.append(BinaryFormat.Tag.bytes.rawValue)
      number(UInt64(value.count))
      bytes += value
    // A column has these four storage classes and null alone.
    default: bytes.append(BinaryFormat.Tag.null.rawValue)
    }
  }

  private mutating func text(_ text: String) {
    number(UInt64(text.utf8.count))
    bytes += text.utf8
  }

  private mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func fixed(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
