import RecordWire
import SyncClient
import SyncCore

/// Somebody who reads all that the server has, and sees what comes back from the dead.
struct Observer {
  /// A live record.
  struct Live {
    var type: String
    var fields: RecordFields
  }

  let names: WorldNames
  private(set) var live: [String: Live] = [:]
  private(set) var deleted: Set<String> = []
  /// Records of pairs may come again: their names are made of both ends.
  private(set) var risen: [String] = []
  private(set) var token: String?

  init(_ names: WorldNames) { self.names = names }

  /// Forgets everything: what is there next is another history.
  mutating func begin() { (live, deleted, token) = ([:], [], nil) }

  /// Reads what is new.
  mutating func read(_ hall: ServerHall) async throws {
    while true {
      let request = ZoneChangesRequest(zones: [
        RecordChangesRequest(zone: names.zone, syncToken: token)
      ])
      let call = SyncCall("changes/zone", in: .database(.private), body: try request.json())
      let reply = await hall.answer(call)
      guard reply.status == 200 else { return }
      let response = try ZoneChangesResponse(json: reply.body)
      guard case .page(_, let page)? = response.zones.first else { return }
      for case .record(let record) in page.records { try take(record) }
      token = page.syncToken
      if !page.isMoreComing { return }
    }
  }

  private mutating func take(_ record: Record) throws {
    guard let name = record.recordName else { return }
    if record.isDeleted {
      live[name] = nil
      deleted.insert(name)
      return
    }
    let type = record.recordType ?? ""
    if live[name] == nil, deleted.contains(name), names.entity(of: type) != nil {
      risen.append(name)
    }
    live[name] = Live(type: type, fields: try Self.fields(of: record).canonical)
  }

  private static func fields(of record: Record) throws -> RecordFields {
    switch record.content {
    case .fields(let fields): fields
    case .wire(let bytes): try bytes.fields()
    case nil: RecordFields()
    }
  }
}
