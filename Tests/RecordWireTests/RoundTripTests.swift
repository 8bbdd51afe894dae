import JSONStream
import RecordWire
import SchemaGenerator
import Testing

/// Random messages: what is written reads as the same value, whatever it holds.
@Suite struct RoundTripTests {
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `random saves are read as they were written`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let operations = (0..<random.below(6)).map { _ in
        var operation = RecordOperation(
          random.pick(RecordOperation.Kind.allCases, or: .create), random.record())
        operation.desiredKeys = random.maybe { DesiredKeys([$0.name(), $0.name()]) }
        operation.numbersAsStrings = random.maybe { $0.oneIn(2) }
        return operation
      }
      let request = ModifyRequest(
        operations: operations, zone: random.maybe { $0.zone() },
        isAtomic: random.maybe { $0.oneIn(2) }, numbersAsStrings: random.oneIn(2))
      for style in [JSONWriter.Style.compact, .pretty] {
        let json = try request.json(style)
        #expect(try ModifyRequest(json: json) == request, "seed \(seed)")
        #expect(try ModifyRequest(json: json).json(style) == json, "seed \(seed)")
      }
    }
  }

  @Test(arguments: [UInt64(11), 12, 13, 14])
  func `random pages are read as they were written, from values and from stored bytes`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let records = (0..<random.below(6)).map { _ in random.record() }
      let page = RecordChangesResponse(
        records: records.map { .record($0) }, syncToken: random.text(),
        isMoreComing: random.oneIn(2))
      let json = try page.json()
      #expect(try RecordChangesResponse(json: json) == page, "seed \(seed)")
      let stored = try records.map { record in
        guard case .fields(let fields)? = record.content else { return record }
        var stored = record
        stored.content = .wire(try FieldBytes(fields))
        return stored
      }
      let copied = RecordChangesResponse(
        records: stored.map { .record($0) }, syncToken: page.syncToken,
        isMoreComing: page.isMoreComing)
      #expect(try copied.json() == json, "seed \(seed)")
    }
  }

  @Test(arguments: [UInt64(21), 22, 23])
  func `stored fields filtered by name are those of the filtered values`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let fields = random.fields(upTo: 20)
      let wanted = DesiredKeys(fields.names.filter { _ in random.oneIn(3) } + [random.name()])
      let expected = RecordFields(
        fields.entries.filter { wanted.contains($0.name) }.map { ($0.name, $0.field) })
      let stored = try FieldBytes(fields)
      #expect(try stored.filtered(by: wanted) == FieldBytes(expected), "seed \(seed)")
      #expect(try stored.fields() == fields, "seed \(seed)")
    }
  }

  @Test(arguments: [UInt64(31), 32])
  func `numbers spelled as strings are read as the same numbers`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let fields = RecordFields(
        (0..<6).map { index in
          let type = random.type()
          return ("f\(index)", RecordField(random.value(of: type)))
        })
      let spelled = try FieldBytes(fields).spellingNumbersAsStrings()
      #expect(try spelled.fields() == fields, "seed \(seed)")
    }
  }

  @Test(arguments: [UInt64(41), 42])
  func `a page with any byte changed is read, or refused with an error, and never traps`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let page = RecordsResponse(records: (0..<4).map { _ in .record(random.record()) })
    let json = try page.json()
    for _ in 0..<3_000 {
      var changed = json
      changed[random.below(json.count)] = UInt8(truncatingIfNeeded: random.next())
      guard let read = try? RecordsResponse(json: changed) else { continue }
      let written = try read.json()
      #expect(try RecordsResponse(json: written).json() == written, "seed \(seed)")
    }
  }
}
