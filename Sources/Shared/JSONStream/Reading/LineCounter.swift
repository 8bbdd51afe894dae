/// Turns byte offsets into lines and columns.
///
/// It remembers the last place it came to, so that asking for ascending positions costs one pass
/// over the text in all.
struct LineCounter {
  private var last = JSONPosition(line: 1, column: 1, offset: 0)

  mutating func position(
    of place: UnsafePointer<UInt8>, start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> JSONPosition {
    let offset = place - start
    if offset < last.offset { last = JSONPosition(line: 1, column: 1, offset: 0) }
    while last.offset < offset {
      let byte = start[last.offset]
      last.offset += 1
      let next = start + last.offset
      switch byte {
      case .lineFeed:
        startLine()
      case .carriageReturn where next == end || next.pointee != .lineFeed:
        // A CR that an LF follows belongs to the LF's line break.
        startLine()
      default:
        // A scalar is counted at its first byte; a place within it has its column.
        if next == end || next.pointee & 0xc0 != 0x80 { last.column += 1 }
      }
    }
    return last
  }

  private mutating func startLine() {
    last.line += 1
    last.column = 1
  }
}
