import DataModel
import RecordServer
import RecordWire
import SyncCore
import Testing

@testable import SyncClient

/// A zone with many records, put onto both sides without the network.
@Suite struct LargeZoneTests {
  static let count = 100_000
  static let fieldsOfAll = FieldBytes(
    checked: Array(#"{"text":{"value":"the same of all","type":"STRING"}}"#.utf8))

  @Test
  func `a hundred thousand equal records cost less than 10 kB, and one that differs little more`()
    async throws
  {
    let hall = RecordHall()
    let ann = try Device(1, hall, schema: TwoDevicesTests.schema)
    try await ann.sync()
    let key = ZoneKey(.user("_ann"), SyncConfiguration.nativeZone)
    let stamp = RecordStamp(timestamp: 1)
    _ = try await hall.service.storage.write { transaction in
      try transaction.write(
        (0..<Self.count).map { number in
          RecordWrite(
            RecordServer.RecordRow(
              name: "r\(number)", type: "Other", created: stamp, modified: stamp,
              fields: Self.fieldsOfAll))
        }, in: key)
    }
    let asked = ZoneDigestRequest(zones: [.init(ann.configuration.zone)])
    let reply = await hall.send(
      SyncCall("zones/digest", in: .databaseExtension(.private), body: try asked.json()))
    guard case .state(let state)? = try ZoneDigestResponse(json: reply.get().body).zones.first
    else {
      Issue.record("\(reply)")
      return
    }
    try ann.session.write { _, rows in
      let first = try rows.nextRecordNumber()
      for number in 0..<Self.count {
        let row = RecordRow(
          number: first + Int64(number), zone: 1, name: "r\(number)", type: "Other",
          owner: .none)
        try rows.insert(row)
        try rows.setBase(
          BaseRow(tag: ChangeTag("1"), modified: 1, fields: Self.fieldsOfAll), of: row, was: nil)
      }
      var zone = try ann.session.zone(rows)
      zone.token = state.syncToken
      try rows.put(zone)
    }
    let equal = try await ann.verify()
    #expect(equal.report.isEqual && equal.report.records == Self.count)
    #expect(equal.report.held == Self.count)
    #expect(equal.calls == ["zones/digest"])
    #expect(equal.bytes < 10_000)

    try ann.tamper(
      """
      UPDATE contrail_sync_base SET fields = '{"text":{"value":"other","type":"STRING"}}' \
      WHERE record = (SELECT number FROM contrail_sync_record WHERE name = 'r777')
      """)
    let other = try await ann.verify(repair: true)
    #expect(
      other.report.differences == [
        .init(
          kind: .different, recordName: "r777", recordType: "Other", fields: ["text"],
          isRepaired: true)
      ])
    #expect(
      other.calls == ["zones/digest", "zones/digest", "zones/digest", "records/lookup"])
    #expect(try await ann.verify().report.isEqual)
  }
}
