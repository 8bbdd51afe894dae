import DataModel
import SchemaFormats
import Testing

@Suite struct XCModelTests {
  @Test func `everything that a model can say is read`() throws {
    let schema = try ModelText.schema(
      """
      <entity name="LogEntry"/>
      <entity name="Aircraft"/>
      <composite name="Place">
        <attribute name="longitude" attributeType="Double"/>
        <compositeAttribute name="latitude" attributeType="Double"/>
      </composite>
      <compositeAttribute name="Weather">
        <attribute name="wind" optional="YES" attributeType="Composite" composite="Wind"/>
      </compositeAttribute>
      <configuration name="Cloud" usedWithCloudKit="YES">
        <memberEntity name="LogEntry"/>
        <memberEntity name="Aircraft"/>
      </configuration>
      <configuration name="Local"/>
      <fetchRequest name="All" entity="LogEntry" includeSubentities="YES"/>
      <elements><element name="LogEntry" positionX="0" positionY="0" width="1" height="2"/></elements>
      """,
      attributes: """
         type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
        lastSavedToolsVersion="22522" systemVersion="23C71" minimumToolsVersion="Automatic" \
        sourceLanguage="Swift" usedWithCloudKit="YES" userDefinedModelVersionIdentifier="v2"
        """)
    #expect(
      schema
        == Schema(
          name: "FlightLog", versionIdentifier: "v2", isUsedWithCloudKit: true,
          entities: [Schema.Entity(name: "Aircraft"), Schema.Entity(name: "LogEntry")],
          composites: [
            Schema.Composite(
              name: "Place",
              attributes: [
                Schema.Attribute(name: "latitude", type: .double),
                Schema.Attribute(name: "longitude", type: .double),
              ]),
            Schema.Composite(
              name: "Weather",
              attributes: [
                Schema.Attribute(
                  name: "wind", type: .composite, compositeName: "Wind", isOptional: true)
              ]),
          ],
          configurations: [
            Schema.Configuration(
              name: "Cloud", entities: ["Aircraft", "LogEntry"], isUsedWithCloudKit: true),
            Schema.Configuration(name: "Local", entities: []),
          ],
          fetchRequests: [Schema.FetchRequest(name: "All", entity: "LogEntry")]))
  }

  @Test(arguments: [("YES", true), ("true", true), ("false", false), ("NO", false)])
  func `whether CloudKit mirrors a model is spelled in several ways`(text: String, flag: Bool)
    throws
  {
    #expect(
      try ModelText.schema("", attributes: " usedWithCloudKit=\"\(text)\"").isUsedWithCloudKit
        == flag)
  }

  @Test(arguments: [
    ("<entity/>", "2:1: expected name=\"…\" for an entity, found <entity> without it"),
    ("<entity name=\"\"/>", "2:15: expected a name for an entity, found nothing"),
    (
      "<entity name=\"E\"/>\n<entity name=\"E\"/>",
      "3:15: expected a name of its own among the entities, found a second \"E\", after the one in line 2"
    ),
    (
      "<configuration/>",
      "2:1: expected name=\"…\" for a configuration, found <configuration> without it"
    ),
    (
      "<configuration name=\"C\"><memberEntity/></configuration>",
      "2:25: expected name=\"…\" for a member of a configuration, found <memberEntity> without it"
    ),
    (
      "<fetchRequest name=\"F\"/>",
      "2:1: expected entity=\"…\" for a fetch request, found <fetchRequest> without it"
    ),
    (
      "<composite name=\"C\"><attribute name=\"a\"/><attribute name=\"a\"/></composite>",
      "2:59: expected a name of its own in C, found a second \"a\", after the one in line 2"
    ),
  ])
  func `a part without a name of its own is refused`(body: String, message: String) {
    expectRefusal(of: body, message)
  }

  @Test(arguments: [
    (
      "<attribute/>",
      "3:1: expected name=\"…\" for an attribute of E, found <attribute> without it"
    ),
    ("<attribute name=\"a\" optional=\"perhaps\"/>", "3:31: expected YES or NO, found \"perhaps\""),
    (
      "<relationship name=\"r\"/>",
      "3:1: expected destinationEntity=\"…\" for the relationship E.r, found <relationship> without it"
    ),
    (
      "<relationship name=\"r\" destinationEntity=\"E\" maxCount=\"-1\"/>",
      "3:56: expected a count such as 1, found \"-1\""
    ),
    (
      "<relationship name=\"r\" destinationEntity=\"E\" minCount=\"99999999999999999999\"/>",
      "3:56: expected a count such as 1, found \"99999999999999999999\""
    ),
    (
      "<relationship name=\"r\" destinationEntity=\"E\" deletionRule=\"NoAction\"/>",
      "3:60: expected Nullify, Cascade, Deny or No Action, found \"NoAction\""
    ),
    (
      "<attribute name=\"a\"/>\n<relationship name=\"a\" destinationEntity=\"E\"/>",
      "4:21: expected a name of its own in E, found a second \"a\", after the one in line 3"
    ),
    (
      "<fetchedProperty name=\"f\"/>",
      "3:1: expected a <fetchRequest> in the fetched property E.f, found none"
    ),
    (
      "<fetchIndex name=\"i\"/><fetchIndex name=\"i\"/>",
      "3:41: expected a name of its own among the indexes of E, found a second \"i\", after the one in line 3"
    ),
    (
      "<fetchIndex name=\"i\"><fetchIndexElement/></fetchIndex>",
      "3:22: expected property=\"…\" or expression=\"…\" for an index, found <fetchIndexElement> with neither"
    ),
    (
      "<fetchIndex name=\"i\"><fetchIndexElement property=\"a\" type=\"Hash\"/></fetchIndex>",
      "3:60: expected Binary or RTree, found \"Hash\""
    ),
    (
      "<userInfo><entry/></userInfo>",
      "3:11: expected key=\"…\" for an entry of user info, found <entry> without it"
    ),
  ])
  func `an entity's part that cannot be read is refused where it stands`(
    body: String, message: String
  ) {
    expectRefusal(of: "<entity name=\"E\">\n\(body)\n</entity>", message)
  }

  @Test func `a message shows the start of a long value, on one line`() {
    let value = "&#10;" + String(repeating: "x", count: 200)
    expectRefusal(
      of: "<entity name=\"E\" isAbstract=\"\(value)\"/>",
      "2:30: expected YES or NO, found \" \(String(repeating: "x", count: 59))…\"")
  }

  @Test func `a file that is no model is refused`() {
    let error = #expect(throws: SchemaFormatError.self) {
      try XCDataModel.document(contents: Array("<plist/>".utf8), file: "contents", label: "x")
    }
    #expect(
      error?.description
        == "contents:1:1: expected <model>, as a Core Data model begins, found <plist>")
  }

  private func expectRefusal(
    of body: String, _ message: String, at location: Testing.SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: SchemaFormatError.self, sourceLocation: location) {
      try ModelText.model(body)
    }
    #expect(error?.description == "contents:\(message)", sourceLocation: location)
  }
}
