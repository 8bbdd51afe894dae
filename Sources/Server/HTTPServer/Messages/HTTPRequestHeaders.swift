/// The headers of a request, looked up by names in any case.
public struct HTTPRequestHeaders: Sendable {
  /// Where a name and its value stand.
  package struct Field: Hashable, Sendable {
    var nameStart: UInt32
    var nameEnd: UInt32
    var valueStart: UInt32
    var valueEnd: UInt32

    var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
  }

  private let block: [UInt8]
  private let fields: [Field]

  package init(block: [UInt8], fields: [Field]) {
    self.block = block
    self.fields = fields
  }

  /// How many headers there are.
  public var count: Int { fields.count }

  /// The first value under a name.
  public subscript(name: String) -> String? {
    fields.first { matches($0.name, name) }.map { text(in: $0.value) }
  }

  /// All values under a name, in their order.
  public func values(of name: String) -> [String] {
    fields.filter { matches($0.name, name) }.map { text(in: $0.value) }
  }

  /// Whether a name is there.
  public func contains(_ name: String) -> Bool { fields.contains { matches($0.name, name) } }

  /// Names and values as they were sent, in their order.
  public var all: [(name: String, value: String)] {
    fields.map { (text(in: $0.name), text(in: $0.value)) }
  }

  func text(in range: Range<Int>) -> String { String(decoding: bytes(in: range), as: UTF8.self) }

  /// The bytes of a range that the parser found in the same block; none for a range of another.
  func bytes(in range: Range<Int>) -> ArraySlice<UInt8> {
    range.upperBound <= block.count ? block[range] : []
  }

  private func matches(_ range: Range<Int>, _ name: String) -> Bool {
    range.count == name.utf8.count && ASCII.equal(bytes(in: range), name.utf8)
  }
}
