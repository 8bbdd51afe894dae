import DataModel
import SchemaFormats
import Testing

@Suite struct XCEntityTests {
  @Test func `everything that an entity can say is read`() throws {
    let schema = try ModelText.schema(
      """
      <entity name="Aircraft" representedClassName="Plane" parentEntity="Machine" isAbstract="YES"
        elementID="Airplane" versionHashModifier="7" syncable="YES" codeGenerationType="category"
        coreSpotlightDisplayNameExpression="tailNumber">
        <attribute name="tailNumber" attributeType="String"/>
        <attribute name="serial" attributeType="String"/>
        <fetchedProperty name="recent" optional="YES">
          <fetchRequest name="recentRequest" entity="LogEntry" predicateString="day &gt; 0"/>
        </fetchedProperty>
        <fetchIndex name="byTail" partialIndexPredicate="serial != nil">
          <fetchIndexElement property="tailNumber" type="Binary" order="descending"/>
          <fetchIndexElement expression="lowercase:(serial)" expressionType="String" type="Binary"
            order="ascending"/>
        </fetchIndex>
        <fetchIndex name="byPlace">
          <fetchIndexElement property="place" type="RTree" order="ascending"/>
        </fetchIndex>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="tailNumber"/></uniquenessConstraint>
          <uniquenessConstraint>
            <constraint value="serial"/>
            <constraint value="maker"/>
          </uniquenessConstraint>
        </uniquenessConstraints>
        <userInfo>
          <entry key="contrail.versionField" value="version"/>
          <entry key="contrail.naturalKey" value="maker, serial"/>
          <entry key="colour" value="blue"/>
        </userInfo>
      </entity>
      """)
    #expect(
      schema.entities == [
        Schema.Entity(
          name: "Aircraft", parent: "Machine", isAbstract: true, className: "Plane",
          attributes: [
            Schema.Attribute(name: "serial", type: .string),
            Schema.Attribute(name: "tailNumber", type: .string),
          ],
          fetchedProperties: [
            Schema.FetchedProperty(
              name: "recent", isOptional: true,
              request: Schema.FetchRequest(
                name: "recentRequest", entity: "LogEntry", predicate: "day > 0"))
          ],
          indexes: [
            Schema.Index(
              name: "byPlace", elements: [Schema.Index.Element("place", arrangement: .rtree)]),
            Schema.Index(
              name: "byTail",
              elements: [
                Schema.Index.Element("tailNumber", isAscending: false),
                Schema.Index.Element("lowercase:(serial)", isExpression: true),
              ], predicate: "serial != nil"),
          ],
          uniquenessConstraints: [["serial", "maker"], ["tailNumber"]],
          renamingIdentifier: "Airplane", hashModifier: "7", versionField: "version",
          naturalKey: ["maker", "serial"], searchDisplayName: "tailNumber",
          userInfo: ["colour": "blue"])
      ])
  }

  @Test(arguments: [
    ("Aircraft", nil), (".Aircraft", nil), (".Plane", "Plane"), ("", nil),
    ("NSManagedObject", "NSManagedObject"),
  ])
  func `a class name is kept where it is not the entity's, without the module's dot`(
    text: String, className: String?
  ) throws {
    let schema = try ModelText.schema(
      "<entity name=\"Aircraft\" representedClassName=\"\(text)\"/>")
    #expect(schema.entity("Aircraft")?.className == className)
  }

  @Test
  func `an attribute that old models call indexed has the index that Xcode makes of the flag`()
    throws
  {
    let document = try ModelText.model(
      """
      <entity name="E">
        <attribute name="a" attributeType="String" indexed="YES"/>
        <attribute name="b" attributeType="String" indexed="YES"/>
        <attribute name="c" attributeType="String" indexed="NO"/>
        <fetchIndex name="byBIndex"><fetchIndexElement property="b" order="descending"/></fetchIndex>
      </entity>
      """)
    guard case .objects(let schema) = document.content else { return }
    #expect(
      schema.entity("E")?.indexes == [
        Schema.Index(name: "byAIndex", elements: [Schema.Index.Element("a")]),
        Schema.Index(name: "byBIndex", elements: [Schema.Index.Element("b", isAscending: false)]),
      ])
    #expect(
      document.location(of: .index(entity: "E", name: "byAIndex")).description == "contents:3:46")
  }

  @Test func `what the format has no meaning for is passed over with a note`() throws {
    let document = try ModelText.model(
      """
      <entity name="E" colour="blue">
        <attribute name="a" attributeType="String" vectorDimensions="512"/>
        <sound/>
        <uniquenessConstraints>
          <uniquenessConstraint/>
          <uniquenessConstraint><constraint value="a"/></uniquenessConstraint>
          <uniquenessConstraint><constraint value="a"/></uniquenessConstraint>
        </uniquenessConstraints>
        <userInfo><entry key="k" value="1"/><entry key="k" value="2"/></userInfo>
        words
      </entity>
      """)
    #expect(
      document.notes.map { "\($0.location): \($0.message)" } == [
        "contents:2:18: colour=\"blue\" of <entity> is not known and was passed over",
        "contents:3:46: vectorDimensions=\"512\" of <attribute> is not known and was passed over",
        "contents:4:3: <sound> inside <entity> is not known and was passed over",
        "contents:6:5: a uniqueness constraint of E names no property",
        "contents:8:5: a uniqueness constraint of E stands twice",
        "contents:10:39: \"k\" stands here a second time; this entry counts",
        "contents:2:1: text inside <entity> means nothing and was passed over",
      ])
  }
}
