import RecordWire
import SyncCore

extension Receiver {
  /// Whether an object that went here since there was an equal one is equal to it no longer: on another
  /// device, which did not know of that yet, its natural key was changed.
  ///
  /// Then it comes back. Whoever changed its key, and made others refer to it, meant another object.
  func isTwinNoLonger(
    _ row: RecordRow, _ change: ChangeRow, _ before: RecordState?, _ server: RecordState
  ) throws -> Bool {
    // What may have arrived may arrive again, and delete it then.
    guard change.change.kind == .delete, change.code == ChangeRow.unified,
      !change.change.mayHaveArrived, let before, case .object(let entity, _) = row.owner,
      let type = objects.objectType(number: entity)
    else { return false }
    return type.naturalKey.contains { field in
      let (old, new) = (before.fields[field]?.value, server.fields[field]?.value)
      return !(old ?? .null).isSame(as: new ?? .null)
    }
  }
}
