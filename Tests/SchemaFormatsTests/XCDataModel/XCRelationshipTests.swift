import DataModel
import SchemaFormats
import Testing

@Suite struct XCRelationshipTests {
  @Test func `everything that a relationship can say is read`() throws {
    let schema = try ModelText.schema(
      """
      <entity name="Pilot">
        <relationship name="entries" optional="YES" toMany="YES" minCount="1" maxCount="9"
          ordered="YES" transient="YES" deletionRule="Cascade" destinationEntity="LogEntry"
          inverseName="pilot" inverseEntity="Record" elementID="flights" versionHashModifier="x"
          syncable="YES" spotlightIndexingEnabled="NO">
          <userInfo><entry key="colour" value="blue"/></userInfo>
        </relationship>
      </entity>
      """)
    #expect(
      schema.entity("Pilot")?.relationships == [
        Schema.Relationship(
          name: "entries", destination: "LogEntry", inverse: "pilot", inverseEntity: "Record",
          isToMany: true, isOrdered: true, isOptional: true, isTransient: true, minimumCount: 1,
          maximumCount: 9, deleteRule: .cascade, renamingIdentifier: "flights", hashModifier: "x",
          userInfo: ["colour": "blue"])
      ])
  }

  @Test(arguments: [
    ("maxCount=\"1\"", false, 1), ("toMany=\"YES\"", true, 0), ("", false, 1),
    ("toMany=\"NO\"", false, 1), ("toMany=\"YES\" maxCount=\"5\"", true, 5),
    ("maxCount=\"5\"", true, 5), ("toMany=\"YES\" maxCount=\"0\"", true, 0),
  ])
  func `the count decides how many objects a relationship holds, without one the flag does`(
    words: String, isToMany: Bool, maximum: Int
  ) throws {
    let read = try ModelText.relationship(words)
    #expect(read.isToMany == isToMany)
    #expect(read.maximumCount == maximum)
  }

  @Test func `to-many with a count of 1 is to-one, which a note tells`() throws {
    let document = try ModelText.model(
      """
      <entity name="E">
        <relationship name="r" destinationEntity="E" toMany="YES" maxCount="1"/>
      </entity>
      """)
    #expect(
      document.notes == [
        SchemaNote(
          location: SourceLocation(file: "contents", position: SourcePosition(line: 3, column: 3)),
          message: "E.r is to-many with maxCount=\"1\", which Core Data takes as to-one")
      ])
  }

  @Test func `a relationship that does not say optional is required`() throws {
    #expect(try !ModelText.relationship("toMany=\"YES\"").isOptional)
    #expect(try ModelText.relationship("optional=\"YES\"").isOptional)
  }

  @Test(
    arguments: [
      ("Nullify", .nullify), ("Cascade", .cascade), ("Deny", .deny), ("No Action", .noAction),
    ] as [(String, Schema.Relationship.DeleteRule)])
  func `each delete rule has its word`(word: String, rule: Schema.Relationship.DeleteRule) throws {
    #expect(try ModelText.relationship("deletionRule=\"\(word)\"").deleteRule == rule)
  }

  @Test func `the inverse's entity is kept only where it is not the destination`() throws {
    #expect(
      try ModelText.relationship("inverseName=\"e\" inverseEntity=\"Aircraft\"").inverseEntity
        == nil)
    #expect(
      try ModelText.relationship("inverseName=\"e\" inverseEntity=\"Plane\"").inverseEntity
        == "Plane")
    #expect(try ModelText.relationship("inverseEntity=\"Plane\"").inverseEntity == nil)
  }
}
