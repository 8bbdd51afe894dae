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
  /// The new records of each device that arrived.
  private var created: [Int: Set<String>] = [:]

  mutating func note(_ letter: Letter) {
    guard let request = try? ModifyRequest(json: letter.call.body, limits: .response) else {
      return
    }
    for operation in request.operations {
      if let name = operation.record.recordName { strayNames.insert(name) }
    }
  }

  mutating func noteCreations(_ letter: Letter) {
    guard let request = try? ModifyRequest(json: letter.call.body, limits: .response) else {
      return
    }
    for operation in request.operations where operation.kind == .create {
      if let name = operation.record.recordName {
        created[letter.device, default: []].insert(name)
      }
    }
  }

  /// A device reads all again from a server that tells no deletions then: of what it created it cannot know
  /// whether it never arrived, or was deleted since.
  mutating func noteRefetch(by device: Int) { strayNames.formUnion(created[device] ?? []) }

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
