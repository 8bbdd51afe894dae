import SchemaFormats
import Testing

@Suite struct XMLReaderTests {
  @Test func `elements, attributes and text become a tree with the place of each`() throws {
    let root = try XMLFile.root(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <log day='Monday'>
        <flight from="EDDF"
                to = "LOWI"/>
        <remark>calm</remark>
      </log>
      """)
    #expect(
      root
        == XMLElement(
          name: "log", position: SourcePosition(line: 2, column: 1),
          attributes: [
            XMLAttribute(
              name: "day", value: "Monday", namePosition: SourcePosition(line: 2, column: 6),
              valuePosition: SourcePosition(line: 2, column: 11))
          ],
          children: [
            XMLElement(
              name: "flight", position: SourcePosition(line: 3, column: 3),
              attributes: [
                XMLAttribute(
                  name: "from", value: "EDDF", namePosition: SourcePosition(line: 3, column: 11),
                  valuePosition: SourcePosition(line: 3, column: 17)),
                XMLAttribute(
                  name: "to", value: "LOWI", namePosition: SourcePosition(line: 4, column: 11),
                  valuePosition: SourcePosition(line: 4, column: 17)),
              ]),
            XMLElement(
              name: "remark", position: SourcePosition(line: 5, column: 3), text: "calm"),
          ]))
  }

  @Test func `columns count bytes of UTF-8`() throws {
    let root = try XMLFile.root("<å é=\"→\" x=\"1\"/>")
    #expect(root.name == "å")
    #expect(root.attribute("é")?.value == "→")
    #expect(root.attribute("é")?.namePosition == SourcePosition(line: 1, column: 5))
    #expect(root.attribute("x")?.namePosition == SourcePosition(line: 1, column: 14))
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `a line ends with LF, CRLF or CR`(end: String) throws {
    let root = try XMLFile.root("<a>\(end)\(end)<b/>x\(end)y</a>")
    #expect(root.children.first?.position == SourcePosition(line: 3, column: 1))
    #expect(root.text == "\n\nx\ny")
  }

  @Test func `references stand for the characters that they name`() throws {
    let root = try XMLFile.root(
      "<a b=\"&lt;&amp;&gt;&quot;&apos;&#10;\">&#65;&#x1F6E9;&#x0009;</a>")
    #expect(root.attribute("b")?.value == "<&>\"'\n")
    #expect(root.text == "A\u{1F6E9}\t")
  }

  @Test func `white space in a value becomes spaces, in text it stays`() throws {
    let root = try XMLFile.root("<a b=\"1\t2\r\n3\n\n4\">1\t2\r\n3</a>")
    #expect(root.attribute("b")?.value == "1 2 3  4")
    #expect(root.text == "1\t2\n3")
  }

  @Test func `white space between elements is no text, but alone in an element it is`() throws {
    #expect(try XMLFile.root("<a>\n  <b>  </b>\n  </a>").text == "")
    #expect(try XMLFile.root("<a>  </a>").text == "  ")
  }

  @Test func `a CDATA section is text as it stands`() throws {
    #expect(
      try XMLFile.root("<a>1<![CDATA[<b>&amp;]]&gt;\r\n]]>2</a>").text == "1<b>&amp;]]&gt;\n2")
  }

  @Test func `comments and instructions are passed over wherever they may stand`() throws {
    let root = try XMLFile.root(
      "<!-- 1 --><?do it?><a><!----><b/><?now?>x<!-- <c> --></a> <!-- 2 -->\n")
    #expect(root.children.map(\.name) == ["b"])
    #expect(root.text == "x")
  }

  @Test func `a document type that only names a definition is passed over`() throws {
    let root = try XMLFile.root(
      """
      \u{FEFF}<?xml version='1.0'?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/x.dtd">
      <plist version="1.0"/>
      """)
    #expect(root.position == SourcePosition(line: 3, column: 1))
    #expect(try XMLFile.root("<!DOCTYPE a SYSTEM 'a.dtd' ><a/>").name == "a")
    #expect(try XMLFile.root("<!DOCTYPE a><a/>").name == "a")
  }

  @Test(arguments: [
    "<?xml version=\"1.0\" standalone=\"yes\"?>", "<?xml version='1.1' ?>",
    "<?xml version = '1.0' encoding = 'utf-8' standalone = 'no' ?>", "<?xml-stylesheet x?>",
  ])
  func `an XML declaration may leave out all but the version`(declaration: String) throws {
    #expect(try XMLFile.root("\(declaration)<a/>").name == "a")
  }

  @Test func `ten thousand siblings are read, and each has its line`() throws {
    let count = 10_000
    let root = try XMLFile.root(
      "<a>\n" + String(repeating: "<b c=\"1\"/>\n", count: count) + "</a>")
    #expect(root.children.count == count)
    #expect(root.children.last?.position == SourcePosition(line: count + 1, column: 1))
  }
}
