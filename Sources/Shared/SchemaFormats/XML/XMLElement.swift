/// One element of an XML file with all that stands inside it, and where it stands.
package struct XMLElement: Hashable, Sendable {
  /// The element's name.
  package var name: String
  /// The place of its `<`.
  package var position: SourcePosition
  /// Its attributes, in the file's order.
  package var attributes: [XMLAttribute]
  /// The elements directly inside it, in the file's order.
  package var children: [XMLElement]
  /// The text directly inside it; empty where only white space stands between child elements.
  package var text: String

  package init(
    name: String, position: SourcePosition, attributes: [XMLAttribute] = [],
    children: [XMLElement] = [], text: String = ""
  ) {
    self.name = name
    self.position = position
    self.attributes = attributes
    self.children = children
    self.text = text
  }

  /// The attribute of that name.
  package func attribute(_ name: String) -> XMLAttribute? {
    attributes.first { $0.name == name }
  }
}

/// One attribute of an element, and where it stands.
package struct XMLAttribute: Hashable, Sendable {
  /// The attribute's name.
  package var name: String
  /// Its value, with references replaced.
  package var value: String
  /// The place of the name's first byte.
  package var namePosition: SourcePosition
  /// The place of the value's first byte, after the quote.
  package var valuePosition: SourcePosition

  package init(
    name: String, value: String, namePosition: SourcePosition, valuePosition: SourcePosition
  ) {
    self.name = name
    self.value = value
    self.namePosition = namePosition
    self.valuePosition = valuePosition
  }
}
