/// Builds the tree of elements; the elements that are still open are a stack, so that no file can
/// exhaust the call stack.
struct XMLTreeReader {
  private var scanner: XMLScanner
  private let limits: XMLLimits
  private var open: [XMLElement] = []
  private var root: XMLElement?
  private var elementCount = 0

  init(_ scanner: XMLScanner, limits: XMLLimits) {
    self.scanner = scanner
    self.limits = limits
  }

  /// Reads the whole file.
  mutating func read() throws(SchemaFormatError) -> XMLElement {
    try scanner.skipProlog()
    guard scanner.next == UInt8(ascii: "<") else {
      throw scanner.error(expected: "an element")
    }
    try readStartTag()
    while !open.isEmpty { try readContent() }
    try scanner.skipEpilog()
    guard let root else { throw scanner.error(expected: "an element") }
    return root
  }

  /// Reads text up to the next markup, and that markup.
  private mutating func readContent() throws(SchemaFormatError) {
    append(try scanner.characterData())
    if scanner.next == nil {
      throw scanner.error(expected: expectedEnd)
    } else if scanner.skip("</") {
      try readEndTag()
    } else if scanner.skip("<![CDATA[") {
      append(try scanner.rawCharacterData())
    } else if scanner.stands("<!") || scanner.stands("<?") {
      guard try scanner.skipMiscellany() else {
        throw scanner.error(expected: "an element, a comment or text", found: "<!")
      }
    } else {
      try readStartTag()
    }
  }

  private var expectedEnd: String {
    guard let element = open.last else { return "an element" }
    return "</\(element.name)> for the <\(element.name)> of line \(element.position.line)"
  }

  private mutating func append(_ text: String) {
    guard !text.isEmpty, !open.isEmpty else { return }
    open[open.count - 1].text += text
  }
}

extension XMLTreeReader {
  private mutating func readStartTag() throws(SchemaFormatError) {
    let start = scanner.offset
    elementCount += 1
    guard elementCount <= limits.elementsMax else {
      throw scanner.error(expected: "at most \(limits.elementsMax) elements", found: "one more")
    }
    guard open.count < limits.depthMax else {
      throw scanner.error(
        expected: "at most \(limits.depthMax) elements inside one another", found: "one more")
    }
    let position = scanner.position(at: start)
    scanner.advance()
    let name = try scanner.name("an element's name after <")
    var element = XMLElement(name: name, position: position)
    try readAttributes(of: &element)
    if scanner.skip("/>") {
      close(element)
    } else {
      try scanner.require(UInt8(ascii: ">"), "an attribute, > or />")
      open.append(element)
    }
  }

  private mutating func readAttributes(of element: inout XMLElement) throws(SchemaFormatError) {
    while true {
      let isSeparated = scanner.skipSpace()
      guard let byte = scanner.next, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") else {
        return
      }
      guard isSeparated else { throw scanner.error(expected: "a space, > or />") }
      guard element.attributes.count < limits.attributesPerElementMax else {
        throw scanner.error(
          expected: "at most \(limits.attributesPerElementMax) attributes", found: "one more")
      }
      if element.attributes.isEmpty {
        element.attributes.reserveCapacity(Self.usualAttributes)
      }
      element.attributes.append(try readAttribute(after: element.attributes))
    }
  }

  /// Room for as many attributes as elements of a model mostly have.
  private static let usualAttributes = 8

  private mutating func readAttribute(
    after others: [XMLAttribute]
  ) throws(SchemaFormatError) -> XMLAttribute {
    let start = scanner.offset
    let name = try scanner.name("an attribute's name, > or />")
    // The limit of attributes per element bounds this search.
    guard !others.contains(where: { $0.name == name }) else {
      throw scanner.source.error(
        at: start, expected: "each attribute once", found: "a second \(name)")
    }
    scanner.skipSpace()
    try scanner.require(UInt8(ascii: "="), "= after \(name)")
    scanner.skipSpace()
    let namePosition = scanner.position(at: start)
    let (value, valueStart) = try scanner.quotedValue()
    return XMLAttribute(
      name: name, value: value, namePosition: namePosition,
      valuePosition: scanner.position(at: valueStart))
  }

  private mutating func readEndTag() throws(SchemaFormatError) {
    let start = scanner.offset
    let name = try scanner.name("an element's name after </")
    guard let element = open.last, element.name == name else {
      throw scanner.source.error(
        at: max(start - 2, 0), expected: expectedEnd, found: "</\(name)>")
    }
    scanner.skipSpace()
    try scanner.require(UInt8(ascii: ">"), "> after </\(name)")
    open.removeLast()
    close(element)
  }

  /// Hands a finished element to the one around it.
  private mutating func close(_ element: XMLElement) {
    var element = element
    // Between child elements, white space is only layout.
    if !element.children.isEmpty, element.text.utf8.allSatisfy(\.isXMLSpace) { element.text = "" }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }
}
