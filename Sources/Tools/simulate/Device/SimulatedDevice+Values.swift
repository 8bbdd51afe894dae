import DataModel
import ObjectStore
import RecordWire
import SyncClient

extension SimulatedDevice {
  /// What the device's objects have, as edits are told, and the objects that have any of it.
  func edits(_ isWanted: (_ uid: String, _ field: String) -> Bool) throws -> Set<String> {
    let bench = Workbench(ModelContext(store, isolation: nil), device: index)
    var found: Set<String> = []
    for entity in WorldSchema.entities(version: options.version) {
      let fields = WorldSchema.marked(
        entity, version: options.version, features: worker.features)
      for object in try bench.all(entity) {
        let uid = try bench.uid(object)
        for field in fields where isWanted(uid, field) {
          found.insert(uid)
          guard let value = try Self.mark(of: object.value(field)) else { continue }
          found.insert(Ledger.key(Ledger.Place(uid: uid, field: field), value))
        }
      }
    }
    return found
  }

  /// What tells a value from all others.
  private static func mark(of value: FieldValue) -> String? {
    if case .string(let text) = value { text } else { PhotoMark(value)?.text }
  }

  /// What the device remembers; where no process runs, one does for a moment.
  func inspection() throws -> SyncInspection? {
    if let session { return try session.inspection() }
    try start()
    defer { kill() }
    return try session?.inspection()
  }

  /// Where the device's next pull begins; nil where it has no token.
  func knownToken() throws -> SyncToken? {
    try inspection()?.token.map { try SyncToken(text: $0) }
  }
}
