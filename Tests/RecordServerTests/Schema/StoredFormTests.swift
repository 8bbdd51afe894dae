import DataModel
import RecordServer
import SchemaGenerator
import Testing

@Suite struct `A container's schema as a storage keeps it` {
  private func sample() throws -> ContainerSchema {
    try ContainerSchema.promoted("CREATE ROLE r; RECORD TYPE T (a LIST<ENCRYPTED STRING>);")
      .importing(
        "CREATE ROLE r; RECORD TYPE T (a LIST<ENCRYPTED STRING>, b NUMBER QUERYABLE);")
  }

  private func text(_ container: ContainerSchema) throws -> String {
    String(decoding: try container.stored(), as: UTF8.self)
  }

  @Test func `is read back as it was`() throws {
    for container in [ContainerSchema(), try sample()] {
      #expect(try ContainerSchema(stored: container.stored()) == container)
    }
  }

  @Test func `is this text`() throws {
    let container = try ContainerSchema.promoted("RECORD TYPE T (a STRING QUERYABLE);")
    let system =
      #""___createTime":{"type":"TIMESTAMP"},"___createdBy":{"type":"REFERENCE"},"___etag":{"type":"STRING"},"#
      + #""___modTime":{"type":"TIMESTAMP"},"___modifiedBy":{"type":"REFERENCE"},"___recordID":{"type":"REFERENCE"}"#
    let shapes =
      #""___createTime":"TIMESTAMP","___createdBy":"REFERENCE","___etag":"STRING","#
      + #""___modTime":"TIMESTAMP","___modifiedBy":"REFERENCE","___recordID":"REFERENCE""#
    let records =
      #"{"contrail":1,"kind":"records","types":{"T":{"fields":{\#(system),"a":{"type":"STRING","queryable":true}}},"#
      + #""Users":{"fields":{\#(system),"roles":{"type":"INT64","list":true}},"#
      + #""grants":{"_creator":{"write":true},"_world":{"read":true}}}}}"#
    let audit = [("1", "imported", "2"), ("2", "promoted", "3")].map { number, act, version in
      #"{"number":\#(number),"act":"\#(act)","by":"tester","at":1700000000000,"version":\#(version),"#
        + #""changes":["T: record type added"],"accepted":[]}"#
    }.joined(separator: ",")
    #expect(
      try text(container)
        == #"{"containerSchema":1,"version":3,"development":\#(records),"production":\#(records),"#
        + #""promoted":{"T":{\#(shapes),"a":"STRING"},"Users":{\#(shapes),"roles":"LIST<INT64>"}},"#
        + #""audit":[\#(audit)]}"#)
  }

  @Test func `is refused when a newer release wrote it, whatever else it holds`() throws {
    let newer = #"{"containerSchema":2,"something":["else"]}"#
    #expect(throws: SchemaRefusal.self) { try ContainerSchema(stored: Array(newer.utf8)) }
    do {
      _ = try ContainerSchema(stored: Array(newer.utf8))
    } catch {
      #expect(error.code == .newerFormat)
      #expect(
        error.message
          == "the stored schema of the container has the format 2, and this release reads 1")
    }
  }

  @Test(arguments: [
    (#""containerSchema":1"#, #""containerSchema":0"#),
    (#""version":4"#, #""version":4,"more":1"#), (#""version":4"#, #""version":0"#),
    (#""version":4"#, #""version":9007199254740993"#), (#""version":4"#, #""version":"4""#),
    (#""act":"imported""#, #""act":"guessed""#), (#""number":1"#, #""number":2"#),
    (#""number":2"#, #""number":9223372036854775807"#),
    (#""at":1700000000000,"version":3"#, #""at":1700000000000,"version":5"#),
    (#""at":"#, #""when":"#), (#""audit":["#, #""audits":["#),
    (#""a":"LIST<ENCRYPTED STRING>""#, #""a":"LIST<STRING>""#),
    (#""a":"LIST<ENCRYPTED STRING>""#, #""a":"TEXT""#),
    (#""a":"LIST<ENCRYPTED STRING>""#, #""z":"STRING""#),
    (#","a":"LIST<ENCRYPTED STRING>""#, ""), (#""kind":"records""#, #""kind":"objects""#),
    (#""___etag":{"type":"STRING"}"#, #""___etag":{"type":"INT64"}"#),
    (#""___etag":{"type":"STRING"},"#, ""),
    (#""a":{"type":"STRING","list":true,"encrypted":true}"#, #""a":{"type":"STRING"}"#),
    (#","a":{"type":"STRING","list":true,"encrypted":true}"#, ""),
  ])
  func `is read strictly, and held to what was promoted`(part: String, replacement: String) throws {
    let whole = try text(sample())
    let place = try #require(whole.firstRange(of: part), "\(part)")
    let broken = whole.replacingCharacters(in: place, with: replacement)
    do {
      _ = try ContainerSchema(stored: Array(broken.utf8))
      Issue.record("\(replacement) was taken")
    } catch {
      #expect([.inconsistent, .promoted].contains(error.code), "\(error)")
    }
  }

  @Test(arguments: UInt64(0)..<8)
  func `that is damaged anywhere is refused, or still keeps every rule`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let bytes = try sample().stored()
    for number in 0..<100 {
      var damaged = bytes
      for _ in 0...generator.below(3) {
        damaged[generator.below(damaged.count)] = UInt8(generator.below(256))
      }
      if let container = try? ContainerSchema(stored: damaged) {
        #expect(container.flaws == [], "seed \(seed), case \(number)")
        #expect(try ContainerSchema(stored: container.stored()) == container)
      }
    }
  }

  @Test func `that is cut off anywhere is refused`() throws {
    let bytes = try ContainerSchema().stored()
    for count in bytes.indices {
      #expect(throws: SchemaRefusal.self) { try ContainerSchema(stored: Array(bytes[..<count])) }
    }
  }
}

extension String {
  fileprivate func replacingCharacters(
    in range: Range<String.Index>, with replacement: String
  ) -> String {
    var copy = self
    copy.replaceSubrange(range, with: replacement)
    return copy
  }
}
