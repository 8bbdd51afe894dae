import DataModel
import FoundationEssentials
import SchemaFormats
import Testing

@Suite struct XCAttributeTests {
  @Test func `an attribute without further words is required, of no type and without a default`()
    throws
  {
    #expect(try ModelText.attribute("") == Schema.Attribute(name: "a", type: .undefined))
  }

  @Test func `everything that an attribute can say is read`() throws {
    let schema = try ModelText.schema(
      """
      <entity name="LogEntry">
        <attribute name="remarks" optional="YES" attributeType="String" defaultValueString="none"
          minValueString="1" maxValueString="500" regularExpressionString="[a-z]+" elementID="notes"
          versionHashModifier="2" transient="YES" allowsExternalBinaryDataStorage="YES"
          allowsCloudEncryption="YES" spotlightIndexingEnabled="YES" preserveAfterDeletion="YES"
          usesScalarValueType="NO" syncable="YES">
          <userInfo>
            <entry key="colour" value="blue"/>
            <entry key="empty"/>
          </userInfo>
        </attribute>
      </entity>
      """)
    #expect(
      schema.entity("LogEntry")?.attributes == [
        Schema.Attribute(
          name: "remarks", type: .string, isOptional: true, defaultValue: .string("none"),
          options: [
            .transient, .externalStorage, .encrypted, .spotlight, .preservedOnDeletion,
          ],
          renamingIdentifier: "notes", hashModifier: "2",
          validation: Schema.Attribute.Validation(
            minimum: "1", maximum: "500", pattern: "[a-z]+"),
          userInfo: ["colour": "blue", "empty": ""])
      ])
  }

  @Test(
    arguments: [
      ("Integer 16", .integer16), ("Integer 32", .integer32), ("Integer 64", .integer64),
      ("Decimal", .decimal), ("Double", .double), ("Float", .float), ("String", .string),
      ("Boolean", .boolean), ("Date", .date), ("Binary", .binaryData), ("UUID", .uuid),
      ("URI", .uri), ("Transformable", .transformable), ("ObjectID", .objectID),
      ("Composite", .composite), ("Undefined", .undefined), ("", .undefined),
      ("Quaternion", Schema.AttributeType(rawValue: "Quaternion")),
    ] as [(String, Schema.AttributeType)])
  func `each type has its word, and an unknown word is kept`(
    word: String, type: Schema.AttributeType
  ) throws {
    #expect(try ModelText.attribute("attributeType=\"\(word)\"").type == type)
  }

  @Test(arguments: ["YES", "yes", "true", "TRUE", "1"])
  func `yes is spelled in several ways`(word: String) throws {
    #expect(try ModelText.attribute("optional=\"\(word)\"").isOptional)
    let isOn = try ModelText.attribute("attributeType=\"Boolean\" defaultValueString=\"\(word)\"")
    #expect(isOn.defaultValue == .boolean(true))
  }

  @Test(arguments: ["NO", "no", "false", "0"])
  func `so is no`(word: String) throws {
    #expect(try ModelText.attribute("transient=\"\(word)\"").options == [])
    let isOn = try ModelText.attribute("attributeType=\"Boolean\" defaultValueString=\"\(word)\"")
    #expect(isOn.defaultValue == .boolean(false))
  }

  @Test(
    arguments: [
      ("Integer 16", "-7", .integer(-7)), ("Integer 16", "0.0", .integer(0)),
      ("Integer 32", "2147483647", .integer(2_147_483_647)), ("Integer 64", "1e3", .integer(1000)),
      ("Integer 64", "9223372036854775807", .integer(.max)), ("Double", "0.0", .double(0)),
      ("Double", "-.5e-1", .double(-0.05)), ("Float", "0.1", .double(Double(Float(0.1)))),
      ("Decimal", "12.30", .decimal(Decimal(string: "12.3") ?? 0)), ("String", "", .string("")),
      ("URI", "https://example.org", .uri("https://example.org")),
      (
        "UUID", "0C0AEA6E-2F8F-4E29-9D53-7B7BBAF3A6C2",
        .uuid(
          UUID(
            uuid: (
              0x0C, 0x0A, 0xEA, 0x6E, 0x2F, 0x8F, 0x4E, 0x29, 0x9D, 0x53, 0x7B, 0x7B, 0xBA, 0xF3,
              0xA6, 0xC2
            )))
      ),
    ] as [(String, String, FieldValue)])
  func `a default is read as a value of the attribute's type`(
    type: String, text: String, value: FieldValue
  ) throws {
    let read = try ModelText.attribute("attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
    #expect(read.defaultValue == value)
  }

  @Test(arguments: [
    ("Integer 16", "32768"), ("Integer 32", "1.5"), ("Integer 64", "9223372036854775808"),
    ("Integer 64", "many"), ("Integer 64", ""), ("Double", "nan"), ("Double", "0x10"),
    ("Double", "1e999"), ("Decimal", "12 €"), ("Decimal", "1e"), ("Boolean", "maybe"),
    ("UUID", "1234"), ("Binary", "AAAA"), ("Transformable", "[]"), ("Undefined", "1"),
    ("Date", "today"),
  ])
  func `a default that is no value of the type is kept as text`(type: String, text: String) throws {
    let read = try ModelText.attribute("attributeType=\"\(type)\" defaultValueString=\"\(text)\"")
    #expect(read.defaultValue == .string(text))
  }

  @Test func `a date's default and limits are seconds since the start of 2001`() throws {
    let read = try ModelText.attribute(
      """
      attributeType="Date" defaultDateTimeInterval="631123200" minDateTimeInterval="0" \
      maxDateTimeInterval="86400.5"
      """)
    #expect(read.defaultValue?.shown == "2020-12-31T16:00:00Z")
    #expect(read.validation == Schema.Attribute.Validation(minimum: "0", maximum: "86400.5"))
    let bad = try ModelText.attribute("attributeType=\"Date\" defaultDateTimeInterval=\"soon\"")
    #expect(bad.defaultValue == .string("soon"))
  }

  @Test func `seconds left behind by an earlier type say nothing of another one`() throws {
    let read = try ModelText.attribute("attributeType=\"String\" defaultDateTimeInterval=\"0\"")
    #expect(read.defaultValue == nil)
  }

  @Test func `an empty word is none`() throws {
    let read = try ModelText.attribute(
      """
      attributeType="Transformable" elementID="" versionHashModifier="" valueTransformerName="" \
      customClassName="" minValueString="" maxValueString="" regularExpressionString=""
      """)
    #expect(read == Schema.Attribute(name: "a", type: .transformable))
  }

  @Test func `a renaming identifier that is the name itself is none`() throws {
    #expect(try ModelText.attribute("elementID=\"a\"").renamingIdentifier == nil)
    #expect(try ModelText.attribute("renamingIdentifier=\"b\"").renamingIdentifier == "b")
  }

  @Test
  func `a transformable attribute keeps its transformer, and its class without the module's dot`()
    throws
  {
    let read = try ModelText.attribute(
      "attributeType=\"Transformable\" valueTransformerName=\"Points\" customClassName=\".Track\"")
    #expect(read.transformerName == "Points")
    #expect(read.valueClassName == "Track")
  }

  @Test(arguments: [
    ("derived=\"YES\" derivationExpression=\"entries.@count\"", "entries.@count"),
    ("derivationExpression=\"now()\"", "now()"), ("derived=\"YES\"", ""),
    ("derived=\"NO\" derivationExpression=\"now()\"", nil), ("", nil),
  ])
  func `a derived attribute has an expression, which may be empty`(
    words: String, derivation: String?
  ) throws {
    #expect(try ModelText.attribute(words).derivation == derivation)
  }

  @Test func `an attribute of a composite type names it, and another does not`() throws {
    #expect(
      try ModelText.attribute("attributeType=\"Composite\" composite=\"Place\"").compositeName
        == "Place")
    #expect(
      try ModelText.attribute("attributeType=\"String\" composite=\"Place\"").compositeName == nil)
  }
}
