import DataModel
import SchemaFormats
import Testing

@Suite struct XCPositionTests {
  static let body = """
    <entity name="LogEntry" representedClassName="Entry" isAbstract="NO" elementID="Flight">
      <attribute name="duration" optional="YES" attributeType="Double" defaultValueString="0"
        minValueString="0" preserveAfterDeletion="YES" elementID="time" usesScalarValueType="YES"/>
      <relationship name="pilot" maxCount="1" deletionRule="Deny" destinationEntity="Pilot"
        inverseName="entries" inverseEntity="Pilot" ordered="NO"/>
      <fetchedProperty name="near"><fetchRequest name="q" entity="LogEntry" predicateString="TRUE"/></fetchedProperty>
      <fetchIndex name="byDay"><fetchIndexElement property="day"/></fetchIndex>
      <uniquenessConstraints>
        <uniquenessConstraint><constraint value="duration"/></uniquenessConstraint>
      </uniquenessConstraints>
      <userInfo>
        <entry key="contrail.versionField" value="version"/>
        <entry key="contrail.naturalKey" value="day"/>
      </userInfo>
    </entity>
    <composite name="Place"><attribute name="latitude" attributeType="Double"/></composite>
    <configuration name="Cloud"><memberEntity name="LogEntry"/></configuration>
    <fetchRequest name="All" entity="LogEntry"/>
    """

  @Test(
    arguments: [
      (.schema, nil, "1:1"), (.schema, .isUsedWithCloudKit, "1:8"),
      (.entity("LogEntry"), nil, "2:1"), (.entity("LogEntry"), .className, "2:25"),
      (.entity("LogEntry"), .isAbstract, "2:54"),
      (.entity("LogEntry"), .renamingIdentifier, "2:70"),
      (.entity("LogEntry"), .userInfo, "12:3"), (.entity("LogEntry"), .versionField, "13:5"),
      (.entity("LogEntry"), .naturalKey, "14:5"), (.entity("LogEntry"), .parent, "2:1"),
      (duration, nil, "3:3"), (duration, .name, "3:14"), (duration, .isOptional, "3:30"),
      (duration, .type, "3:45"), (duration, .defaultValue, "3:68"),
      (duration, .minimumValue, "4:5"),
      (duration, .preservedOnDeletion, "4:24"), (duration, .renamingIdentifier, "4:52"),
      (duration, .maximumValue, "3:3"),
      (pilot, nil, "5:3"), (pilot, .cardinality, "5:30"), (pilot, .deleteRule, "5:43"),
      (pilot, .destination, "5:63"), (pilot, .inverse, "6:5"), (pilot, .inverseEntity, "6:27"),
      (pilot, .isOrdered, "6:49"),
      (.fetchedProperty(entity: "LogEntry", name: "near"), nil, "7:3"),
      (.fetchedProperty(entity: "LogEntry", name: "near"), .fetchEntity, "7:55"),
      (.fetchedProperty(entity: "LogEntry", name: "near"), .predicate, "7:73"),
      (.index(entity: "LogEntry", name: "byDay"), nil, "8:3"),
      (.index(entity: "LogEntry", name: "byDay"), .indexElements, "8:28"),
      (.uniqueness(entity: "LogEntry", properties: ["duration"]), nil, "10:5"),
      (.composite("Place"), nil, "17:1"),
      (.member(composite: "Place", name: "latitude"), nil, "17:25"),
      (.member(composite: "Place", name: "latitude"), .type, "17:52"),
      (.configuration("Cloud"), nil, "18:1"), (.configuration("Cloud"), .memberEntities, "18:29"),
      (.fetchRequest("All"), nil, "19:1"), (.fetchRequest("All"), .fetchEntity, "19:26"),
      // What a file does not spell is shown at the nearest part that it does.
      (.attribute(entity: "LogEntry", name: "missing"), .type, "2:1"),
      (.entity("Pilot"), nil, "1:1"),
    ] as [(SchemaElement, Aspect?, String)])
  func `each part, and each feature that the file spells, has its line and column`(
    element: SchemaElement, aspect: Aspect?, place: String
  ) throws {
    let document = try ModelText.model(Self.body, attributes: " usedWithCloudKit=\"YES\"")
    #expect(document.notes == [])
    #expect(document.location(of: element, aspect: aspect).description == "contents:\(place)")
  }

  private static let duration = SchemaElement.attribute(entity: "LogEntry", name: "duration")
  private static let pilot = SchemaElement.relationship(entity: "LogEntry", name: "pilot")
}
