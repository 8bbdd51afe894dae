import DataModel
import FoundationEssentials
import JSONStream

/// Reading and writing pages of records, against Foundation's coders doing the same.
enum JSONSuite {
  static func run(_ runner: Runner) throws {
    let count = runner.size(200)
    let records = SampleRecords.make(count)
    let bytes = try SampleRecords.bytes(records)
    let data = Data(bytes)
    let decoder = JSONDecoder()
    let encoder = JSONEncoder()
    let wireRecords = records.map { record in record.mapValues(CodableField.init) }
    let about = "\(count) records of 10 fields, \(bytes.count) bytes, processor time"

    try runner.compare(
      "parse records into dictionaries", target: 0.1, note: "\(about); floor JSONDecoder",
      ours: { keep(try SampleRecords.read(bytes)) },
      floor: {
        keep(try decoder.decode([CodableRecord].self, from: data).map(\.fields))
      })
    try runner.compare(
      "write records from dictionaries", target: 0.05, note: "\(about); floor JSONEncoder",
      ours: { keep(try SampleRecords.bytes(records)) },
      floor: { keep(try encoder.encode(wireRecords)) })
    try runner.throughput("skip records, checking all of them", bytes: bytes.count, note: about) {
      try JSONReader.validate(bytes)
    }
    runner.add(try exactness(records, bytes))
  }

  /// How many records are the same after writing and reading.
  private static func exactness(_ records: [SampleRecords.Record], _ bytes: [UInt8]) throws -> Row {
    let again = try SampleRecords.read(bytes)
    let same = zip(records, again).count { $0 == $1 }
    return Row(
      name: "records that are the same when read again", unit: "%",
      ours: 100 * Double(same) / Double(records.count), floor: nil, target: nil,
      peakMemoryMB: Memory.peakMB(), note: "\(same) of \(records.count), doubles bit by bit",
      isRight: same == records.count && again.count == records.count)
  }
}
