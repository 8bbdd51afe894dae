import DataModel
import RecordWire
import SyncClient
import SyncCore

/// What need not hold, by name, since something happened that allows it.
struct Exemptions {
  /// Records of operations that arrived long after nobody waited for them, or twice.
  private(set) var strayNames: Set<String> = []
  /// Records of operations from before a server was put back that came after it: it gives the tags again that they
  /// were made for, to other states.
  private(set) var repeatedNames: Set<String> = []
  /// Records of which something was lost with a deletion, given up, or made anew.
  private(set) var spoiledNames: Set<String> = []
  /// Whether a unit was sent in parts, or parts of one have failed.
  private(set) var isAnyUnitInParts: Bool
  /// The new records of each device that arrived.
  private var created: [Int: Set<String>] = [:]
  /// Records that were there, or were deleted, when the server lost something: who sends again what the
  /// server lacks makes again what was deleted elsewhere.
  private(set) var lostNames: Set<String> = []
  /// The devices that keep what the server has lost without sending it again.
  private(set) var keepers: Set<Int> = []
  /// What each device has given up: its objects keep what they have.
  private(set) var discards: [Int: Discards] = [:]
  /// Whether some device does not send again what the server has lost.
  private(set) var isAnythingGivenUp = false

  /// Whether the server has lost something, be it nothing.
  private(set) var hasLosses = false

  /// Records without clocks are merged by the moment in which the server took each of them in.
  init(_ profile: MappingProfile) { isAnyUnitInParts = profile == .coreData }

  /// Whether a record may be there again though it was deleted.
  func mayRise(_ name: String) -> Bool {
    strayNames.contains(name) || lostNames.contains(name)
  }

  mutating func noteLoss(of observer: Observer) {
    hasLosses = true
    lostNames.formUnion(observer.live.keys)
    lostNames.formUnion(observer.deleted)
    // What is sent again goes record by record.
    isAnyUnitInParts = true
  }

  /// Notes the records that a device has when it decides about a loss: those that were deleted since the loss,
  /// before the device heard of any of it, are lost for it too, and may be sent again.
  mutating func noteKnown(_ inspection: SyncInspection) {
    lostNames.formUnion(inspection.records.filter { $0.base != nil }.map(\.name))
  }

  mutating func noteDecision(_ policy: TroublePolicy, of device: Int) {
    if policy != .reupload { isAnythingGivenUp = true }
    if policy == .keepLocal { keepers.insert(device) }
  }

  /// Notes the new records of a device of which it is not known whether they arrived: who reads everything
  /// anew is not told that one was deleted, and that it is not there says that it did not.
  mutating func noteUnconfirmed(_ inspection: SyncInspection?) {
    for record in inspection?.records ?? [] where record.base == nil {
      strayNames.insert(record.name)
    }
  }

  mutating func note(_ letter: Letter) { strayNames.formUnion(letter.recordNames) }

  mutating func noteRepeated(_ letter: Letter) { repeatedNames.formUnion(letter.recordNames) }

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

  /// Notes what somebody chose about failed changes; `after` is what the device has then.
  mutating func note(
    _ choice: FailureChoice.Kind, of records: [SyncInspection.Record], by device: Int,
    after: SyncInspection
  ) {
    for record in records {
      switch choice {
      case .retry:
        // What the server has lost is sent as new, and may have been deleted.
        if record.changes.contains(where: {
          $0.kind == .create || $0.code == SyncFailureCode.lostThere
        }) {
          strayNames.insert(record.name)
        }
      case .recreate:
        if record.isLostElsewhere { strayNames.insert(record.name) }
      case .discard:
        spoiledNames.insert(record.name)
        discards[device, default: Discards()].note(
          record, after: after.records.first { $0.name == record.name })
      }
    }
  }

  mutating func note(_ report: SyncReport) {
    switch report {
    case .unitSplit: isAnyUnitInParts = true
    case .fate(let fate):
      if case .failed(let code, _) = fate.outcome {
        if code == SyncFailureCode.deletedRemotely { spoiledNames.insert(fate.recordName) }
        isAnyUnitInParts = true
      }
    default: break
    }
  }
}

extension SyncInspection.Record {
  /// Whether it was deleted elsewhere while it was edited here.
  var isLostElsewhere: Bool {
    changes.contains { $0.code == SyncFailureCode.deletedRemotely }
  }

  /// Whether something of it has failed.
  var hasFailed: Bool { changes.contains { $0.state == .failed } }
}

extension Letter {
  /// The records of a push.
  fileprivate var recordNames: [String] {
    let request = try? ModifyRequest(json: call.body, limits: .response)
    return request?.operations.compactMap(\.record.recordName) ?? []
  }
}
