import DataModel
import FoundationEssentials
import RecordWire

/// Pages of records as clients and servers exchange them: read into values, written from values, and
/// copied from stored bytes.
enum WireSuite {
  static func run(_ runner: Runner) throws {
    let count = runner.size(200)
    let page = RecordsResponse(records: SampleRecords.make(count).enumerated().map(result))
    let bytes = try page.json()
    let stored = RecordsResponse(records: try page.records.map(keptAsBytes))
    let save = ModifyRequest(operations: page.records.compactMap(operation))
    let request = try save.json()
    let wanted: DesiredKeys = ["distance", "title"]
    let about = "\(count) records of 10 fields, \(bytes.count) bytes, processor time"

    try runner.throughput("read a page of records", bytes: bytes.count, note: about) {
      keep(try RecordsResponse(json: bytes))
    }
    try runner.throughput("write a page from values", bytes: bytes.count, note: about) {
      keep(try page.json(bytesExpected: bytes.count))
    }
    try runner.throughput("write a page from stored bytes", bytes: bytes.count, note: about) {
      keep(try stored.json(bytesExpected: bytes.count))
    }
    try runner.throughput("read saves of records", bytes: request.count, note: about) {
      keep(try ModifyRequest(json: request))
    }
    try runner.throughput("filter stored bytes by two names", bytes: bytes.count, note: about) {
      for case .record(let record) in stored.records {
        guard case .wire(let fields)? = record.content else { continue }
        keep(try fields.filtered(by: wanted))
      }
    }
  }

  private static func result(_ index: Int, _ sample: SampleRecords.Record) -> RecordResult {
    let stamp = RecordStamp(
      timestamp: 1_661_247_875_019, userRecordName: "_d8e2b6c17258c644a282008756152412",
      deviceID: "2")
    var record = Record(
      recordName: "0192F3C4-7A1B-7C3D-9E5F-\(100_000_000_000 + index)", recordType: "Flight",
      fields: RecordFields(sample.map { ($0.key, RecordField(value(of: $0.value))) }),
      changeTag: ChangeTag(counter: UInt64(1_000_000 + index)),
      zone: ZoneIdentity(name: "Flights", owner: "_d8e2b6c17258c644a282008756152412"))
    record.created = stamp
    record.modified = stamp
    return .record(record)
  }

  static func value(of value: FieldValue) -> RecordValue {
    switch value {
    case .string(let text): .string(text)
    case .double(let number): .double(number)
    case .integer(let number): .int64(number)
    case .boolean(let truth): .int64(truth ? 1 : 0)
    case .date(let time): .timestamp(FieldType.milliseconds(time))
    default: .null
    }
  }

  private static func keptAsBytes(_ result: RecordResult) throws -> RecordResult {
    guard case .record(var record) = result, case .fields(let fields)? = record.content else {
      return result
    }
    record.content = .wire(try FieldBytes(fields))
    return .record(record)
  }

  private static func operation(_ result: RecordResult) -> RecordOperation? {
    guard case .record(let record) = result else { return nil }
    return RecordOperation(.update, record)
  }
}
