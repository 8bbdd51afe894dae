import RecordWire
import SyncClient

/// What need not hold, by name, since something happened that allows it.
struct Exemptions {
  /// Records of operations that arrived long after nobody waited for them, or twice.
  private(set) var strayNames: Set<String> = []
  /// Records with a change that was kept as failed.
  private(set) var failedNames: Set<String> = []
  /// Whether a unit was sent in parts, or parts of one have failed.
  private(set) var isAnyUnitInParts = false

  mutating func note(_ letter: Letter) {
    guard let request = try? ModifyRequest(json: letter.call.body, limits: .response) else {
      return
    }
    for operation in request.operations {
      if let name = operation.record.recordName { strayNames.insert(name) }
    }
  }

  mutating func note(_ report: SyncReport) {
    switch report {
    case .unitSplit: isAnyUnitInParts = true
    case .fate(let fate):
      if case .failed = fate.outcome {
        failedNames.insert(fate.recordName)
        isAnyUnitInParts = true
      }
    default: break
    }
  }
}
