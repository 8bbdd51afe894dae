/// Writes one JSON text as bytes.
///
/// ```swift
/// var json = JSONWriter(.pretty)
/// json.object { json in
///   json.member("name", "LogEntry")
///   json.key("fields")
///   json.array { json in
///     for field in fields { write(field, to: &json) }
///   }
/// }
/// let bytes = try json.finish()
/// ```
///
/// Calls do not throw. What cannot become valid JSON (a NaN, a value without its key, a second value
/// at the top) is kept, and thrown by `finish`, which then gives no bytes. `finish` always gives a
/// text that `JSONReader` reads to the same values, with one exception that it does not look for:
/// the same key given twice.
///
/// Memory safety: every store is behind `reserve`, which makes room for it.
public struct JSONWriter: ~Copyable {
  /// How the text is laid out.
  public enum Style: Hashable, Sendable {
    /// No white space at all.
    case compact
    /// One member or element a line, two spaces a level, and a line break at the end: the canonical
    /// form of files that people compare.
    case pretty
  }

  /// What may come next.
  enum State: UInt8 {
    /// The value of the text, of a key.
    case value
    /// A key, or the end of the object.
    case firstKey, key
    /// An element, or the end of the array.
    case firstElement, element
    /// Nothing: the text is complete.
    case complete
  }

  let style: Style
  var output: OutputBytes
  var state = State.value
  var containers = Nesting()
  var problem: JSONError?

  /// Begins a text; `bytesExpected` saves growing when the size is about known.
  public init(_ style: Style = .compact, bytesExpected: Int = 256) {
    self.style = style
    output = OutputBytes(capacity: bytesExpected)
  }

  /// Ends the text and returns it, or throws the first thing that went wrong.
  public consuming func finish() throws(JSONError) -> [UInt8] {
    try checkComplete()
    return Array(UnsafeBufferPointer(start: output.base, count: output.count))
  }

  /// Ends the text and appends it to `bytes`, or throws the first thing that went wrong and leaves
  /// `bytes` alone.
  public consuming func finish(appendingTo bytes: inout [UInt8]) throws(JSONError) {
    try checkComplete()
    bytes.append(contentsOf: UnsafeBufferPointer(start: output.base, count: output.count))
  }

  /// How many bytes have been written so far, to end a page in time.
  public var byteCount: Int { output.count }

  private mutating func checkComplete() throws(JSONError) {
    if problem == nil && state != .complete {
      misuse(containers.depth > 0 ? "the end of every object and array" : "a value")
    }
    if let problem { throw problem }
    if style == .pretty { output.append(.lineFeed) }
  }
}

extension JSONWriter {
  /// Writes an object; `body` writes its members, each a `key` and one value.
  @inlinable
  @inline(__always)
  public mutating func object<Failure: Error>(
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    let outer = open(object: true)
    try body(&self)
    close(object: true, outer)
  }

  /// Writes an array; `body` writes its elements.
  @inlinable
  @inline(__always)
  public mutating func array<Failure: Error>(
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    let outer = open(object: false)
    try body(&self)
    close(object: false, outer)
  }

  /// Begins a container and returns its depth, which `close` compares.
  @usableFromInline
  mutating func open(object: Bool) -> Int {
    beginValue()
    output.append(object ? .braceOpen : .bracketOpen)
    state = object ? .firstKey : .firstElement
    containers.push(object: object)
    return containers.depth
  }

  @usableFromInline
  mutating func close(object: Bool, _ opened: Int) {
    guard containers.depth == opened, state != .value else {
      return misuse("the value of a key")
    }
    let isEmpty = state == .firstKey || state == .firstElement
    containers.pop()
    if style == .pretty && !isEmpty { output.breakLine(containers.depth) }
    output.append(object ? .braceClose : .bracketClose)
    endValue()
  }

  /// Writes what stands between the value before and the next one.
  @inline(__always)
  mutating func beginValue() {
    switch state {
    case .value: break
    case .firstElement:
      if style == .pretty { output.breakLine(containers.depth) }
    case .element:
      output.append(.comma)
      if style == .pretty { output.breakLine(containers.depth) }
    case .firstKey, .key: misuse("a key before its value")
    case .complete: misuse("the end of the text after its value")
    }
  }

  @inline(__always)
  mutating func endValue() {
    if containers.depth == 0 {
      state = .complete
    } else {
      state = containers.isInObject ? .key : .element
    }
  }

  /// Writes what stands between the member before and the next key; the key itself must follow.
  @inline(never)
  mutating func beginKey() {
    switch state {
    case .firstKey: break
    case .key: output.append(.comma)
    default: misuse("a value, for a key belongs into an object")
    }
    if style == .pretty { output.breakLine(containers.depth) }
  }

  @inline(never)
  mutating func misuse(_ expected: String) {
    report(.misuse, expected: expected, found: "another order of calls")
  }

  /// Keeps the first problem; its position is the place in the output.
  @inline(never)
  mutating func report(_ code: JSONError.Code, expected: String, found: String) {
    if problem != nil { return }
    var lines = LineCounter()
    let position = lines.position(
      of: output.base + output.count, start: output.base, end: output.base + output.count)
    problem = JSONError(code, at: position, expected: expected, found: found)
  }
}
