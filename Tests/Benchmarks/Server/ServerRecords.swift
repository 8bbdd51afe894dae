import RecordWire

/// The records that are saved, fetched and asked for: ten fields, and about 650 bytes of them.
enum ServerRecords {
  static let type = "Flight"
  /// How many records a request saves: the most that the protocol allows.
  static let batch = 200

  /// The bodies of the requests that save `count` records, `batch` in each.
  static func saves(_ count: Int, in zone: ZoneIdentity) throws -> [[UInt8]] {
    let samples = SampleRecords.make(count)
    return try stride(from: 0, to: count, by: batch).map { start in
      let numbers = start..<min(count, start + batch)
      let operations = numbers.map { number in
        RecordOperation(.create, record(samples[number], number))
      }
      return try ModifyRequest(operations: operations, zone: zone).json()
    }
  }

  static func name(_ number: Int) -> String {
    // Spread, as the names of records are that clients have made.
    var random = SplitMix(state: UInt64(number))
    let (high, low) = (random.next(), random.next())
    let digits = String(high >> 16, radix: 16) + String(low >> 16, radix: 16)
    return "R-\(number)-\(digits)"
  }

  private static func record(_ sample: SampleRecords.Record, _ number: Int) -> Record {
    Record(
      recordName: name(number), recordType: type,
      fields: RecordFields(
        sample.sorted { $0.key < $1.key }.map {
          ($0.key, RecordField(WireSuite.value(of: $0.value)))
        }))
  }
}
