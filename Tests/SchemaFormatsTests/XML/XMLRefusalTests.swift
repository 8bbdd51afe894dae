import SchemaFormats
import Testing

@Suite struct XMLRefusalTests {
  @Test(arguments: [
    ("", "1:1: expected an element, found the end of the file"),
    ("  text", "1:3: expected an element, found \"t\""),
    ("<a>", "1:4: expected </a> for the <a> of line 1, found the end of the file"),
    ("<a>\n<b></a>", "2:4: expected </b> for the <b> of line 2, found </a>"),
    ("<a/><b/>", "1:5: expected the end of the file, found \"<\""),
    ("<a/>x", "1:5: expected the end of the file, found \"x\""),
    ("<a", "1:3: expected an attribute, > or />, found the end of the file"),
    ("<a /", "1:4: expected an attribute, > or />, found \"/\""),
    ("<1a/>", "1:2: expected an element's name after <, found \"1\""),
    ("< a/>", "1:2: expected an element's name after <, found \" \""),
    ("<a\u{00D7}b/>", "1:3: expected a space, > or />, found \"\u{00D7}\""),
    ("<a></ a>", "1:6: expected an element's name after </, found \" \""),
    ("<a></a b>", "1:8: expected > after </a, found \"b\""),
    ("<a><!ELEMENT a></a>", "1:4: expected an element, a comment or text, found <!"),
  ])
  func `tags that do not fit together are refused`(text: String, message: String) {
    expectRefusal(of: text, message)
  }

  @Test(arguments: [
    ("<a b/>", "1:5: expected = after b, found \"/\""),
    ("<a b=1/>", "1:6: expected a value in quotes, found \"1\""),
    ("<a b=\"1/>", "1:10: expected a quote that ends the value, found the end of the file"),
    ("<a b=\"<\"/>", "1:7: expected &lt; inside a value, found \"<\""),
    ("<a b=\"1\"c=\"2\"/>", "1:9: expected a space, > or />, found \"c\""),
    ("<a b=\"1\" -c=\"2\"/>", "1:10: expected an attribute's name, > or />, found \"-\""),
    ("<a b=\"1\"\n b=\"2\"/>", "2:2: expected each attribute once, found a second b"),
  ])
  func `attributes that are not as XML has them are refused`(text: String, message: String) {
    expectRefusal(of: text, message)
  }

  @Test(arguments: [
    ("<a>&nbsp;</a>", "&nbsp;"), ("<a>&#0;</a>", "&#0;"), ("<a>&#xD800;</a>", "&#xD800;"),
    ("<a>&#xFFFE;</a>", "&#xFFFE;"), ("<a>&#x110000;</a>", "&#x110000;"),
    ("<a>&#99999999999;</a>", "&#99999999999;"), ("<a>&#+65;</a>", "&#+65;"),
    ("<a>&#x-1;</a>", "&#x-1;"), ("<a>&#;</a>", "&#;"), ("<a>&#X41;</a>", "&#X41;"),
    ("<a>&;</a>", "&;"), ("<a>&#11;</a>", "&#11;"),
  ])
  func `a reference to what XML does not know is refused`(text: String, found: String) {
    expectRefusal(
      of: text,
      "1:4: expected &amp;, &lt;, &gt;, &quot;, &apos; or the number of a character that XML "
        + "allows, found \(found)")
  }

  @Test(arguments: ["<a>R&D</a>", "<a>&amp</a>", "<a>&#00000000000000000065;</a>", "<a b='& '/>"])
  func `an ampersand that begins no reference is refused`(text: String) throws {
    let error = #expect(throws: SchemaFormatError.self) { try XMLFile.root(text) }
    #expect(error?.expected == "&amp;, or a reference that ends with a semicolon")
    #expect(error?.found == "\"&\"")
  }

  @Test(arguments: [
    ("<a>]]></a>", "1:4: expected ]]&gt; inside text, found ]]>"),
    (
      "<a><![CDATA[x]></a>",
      "1:20: expected ]]>, which ends a CDATA section, found the end of the file"
    ),
    ("<!-- a -- b --><a/>", "1:8: expected no -- inside a comment, found --"),
    ("<a><!-- </a>", "1:4: expected a comment that ends with -->, found no end"),
    ("<a><?x </a>", "1:4: expected an instruction that ends with ?>, found no end"),
    ("<a><?XML?></a>", "1:4: expected an XML declaration only at the very start, found <?XML"),
    (
      " <?xml version=\"1.0\"?><a/>",
      "1:2: expected an XML declaration only at the very start, found <?xml"
    ),
  ])
  func `text, comments and instructions that XML does not allow are refused`(
    text: String, message: String
  ) {
    expectRefusal(of: text, message)
  }

  @Test(arguments: [
    ("<?xml encoding=\"UTF-8\"?><a/>", "1:7: expected version, found \"e\""),
    ("<?xml version=\"2.0\"?><a/>", "1:16: expected version 1.0 or 1.1, found \"2.0\""),
    (
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a/>",
      "1:31: expected the encoding UTF-8, found \"UTF-16\""
    ),
    ("<?xml version=\"1.0\" standalone=\"1\"?><a/>", "1:33: expected yes or no, found \"1\""),
    (
      "<?xml version=\"1.0\"encoding=\"UTF-8\"?><a/>",
      "1:20: expected a space before encoding, found \"e\""
    ),
    ("<?xml version=\"1.0\" x=\"1\"?><a/>", "1:21: expected ?>, found \"x\""),
    (
      "<!DOCTYPE a [<!ENTITY b \"x\">]><a>&b;</a>",
      "1:13: expected no definitions inside <!DOCTYPE>, found \"[\""
    ),
    (
      "<!DOCTYPE a SYSTEM \"a.dtd\" [ ]><a/>",
      "1:28: expected no definitions inside <!DOCTYPE>, found \"[\""
    ),
    ("<!DOCTYPE a><!DOCTYPE a><a/>", "1:13: expected one <!DOCTYPE>, found a second one"),
    ("<!DOCTYPE a PUBLIC \"x\"><a/>", "1:23: expected a space, found \">\""),
  ])
  func `a prolog that asks for more than plain UTF-8 is refused`(text: String, message: String) {
    expectRefusal(of: text, message)
  }

  @Test(
    arguments: [
      ([0x3C, 0x61, 0x3E, 0x0A, 0x20, 0xFF], "2:2: expected text in UTF-8, found 0xFF"),
      ([0x3C, 0xC3], "1:2: expected text in UTF-8, found 0xC3"),
      ([0x3C, 0xED, 0xA0, 0x80], "1:2: expected text in UTF-8, found 0xED"),
      ([0xFE, 0xFF, 0x00, 0x3C], "1:1: expected text in UTF-8, found 0xFE"),
      (
        [0x3C, 0x61, 0x00],
        "1:3: expected a character that XML allows, found the control character 0x00"
      ),
      (
        [0x3C, 0x61, 0x3E, 0x1B],
        "1:4: expected a character that XML allows, found the control character 0x1B"
      ),
      (
        [0x3C, 0xEF, 0xBF, 0xBF], "1:2: expected a character that XML allows, found a non-character"
      ),
    ] as [([UInt8], String)])
  func `bytes that are no text are refused where they stand`(bytes: [UInt8], message: String) {
    let error = #expect(throws: SchemaFormatError.self) {
      try XMLReader.root(of: bytes, file: "note.xml")
    }
    #expect(error?.description == "note.xml:\(message)")
  }

  @Test(arguments: [
    ("<a>1234567</a>", XMLLimits(bytesMax: 10), "1:1: expected at most 10 bytes, found 14"),
    (
      "<a><b><c/></b></a>", XMLLimits(depthMax: 2),
      "1:7: expected at most 2 elements inside one another, found one more"
    ),
    (
      "<a><b/><c/></a>", XMLLimits(elementsMax: 2),
      "1:8: expected at most 2 elements, found one more"
    ),
    (
      "<a b=\"1\" c=\"2\"/>", XMLLimits(attributesPerElementMax: 1),
      "1:10: expected at most 1 attributes, found one more"
    ),
  ])
  func `a file beyond a limit is refused`(text: String, limits: XMLLimits, message: String) {
    expectRefusal(of: text, message, limits: limits)
  }

  @Test func `a hundred thousand open elements are refused without exhausting the stack`() {
    expectRefusal(
      of: String(repeating: "<a>", count: 100_000),
      "1:193: expected at most 64 elements inside one another, found one more")
  }

  private func expectRefusal(
    of text: String, _ message: String, limits: XMLLimits = XMLLimits(),
    at location: Testing.SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: SchemaFormatError.self, sourceLocation: location) {
      try XMLFile.root(text, limits: limits)
    }
    #expect(error?.description == "note.xml:\(message)", sourceLocation: location)
  }
}
