import RecordWire
import SyncClient
import SyncCore

// How things look in a trace: short, and without anything that differs from run to run.
extension StepResult {
  var shown: String {
    switch self {
    case .done(let facts): "done\(facts.shown)"
    case .failed(let consequence): "failed, \(consequence)"
    case .unanswered(let why): "unanswered, \(why)"
    case .broken(let why): "broken, \(why)"
    }
  }
}

extension StepFacts {
  fileprivate var shown: String {
    var parts: [String] = []
    if hasMore { parts.append("has more") }
    if needsLookUp { parts.append("needs look-up") }
    if needsUpload { parts.append("needs upload") }
    if needsDownload { parts.append("needs download") }
    if needsSchema { parts.append("needs schema") }
    if let trouble { parts.append("trouble \(trouble.rawValue)") }
    if tally != SyncTally() { parts.append(tally.shown) }
    return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
  }
}

extension SyncCall {
  /// What a push does, operation by operation.
  var operations: [String] {
    guard path == "records/modify",
      let request = try? ModifyRequest(json: body, limits: .response)
    else { return [] }
    return request.operations.map { operation in
      let record = operation.record
      var fields = ""
      if case .wire(let bytes)? = record.content {
        fields = String(decoding: bytes.json, as: UTF8.self)
      } else if case .fields(let values)? = record.content {
        fields = values.shown
      }
      return "\(operation.kind.rawValue) \(record.recordType ?? "") \(record.recordName ?? "") "
        + "\(record.changeTag?.text ?? "-") \(fields)"
    }
  }
}

extension SyncTally {
  var shown: String { "pushed \(pushed), pulled \(pulled), merged \(merged)" }
}

extension SyncMachine.PassEnd {
  var shown: String { "\(outcome), \(tally.shown)" }
}

extension SyncReport {
  var shown: String {
    switch self {
    case .fate(let fate): "\(fate.recordType) \(fate.recordName) \(fate.outcome)"
    case .unitSplit(let unit, let records): "unit \(unit) split, \(records) records"
    default: "\(self)"
    }
  }
}

extension Forgery {
  var shown: String {
    switch self {
    case .whole(let failure): failure.code.rawValue
    case .item(let failure, let place): "\(failure.code.rawValue) of operation \(place)"
    case .page(let status): "page \(status)"
    }
  }
}

extension Ledger.Act {
  var shown: String {
    switch self {
    case .insert(let uid, let entity, _): "makes \(entity) \(uid)"
    case .edit(let place, let edit): "\(place.uid).\(place.field) = \(edit.value)"
    case .file(let place, let edit): "\(place.uid).\(place.field) = file \(edit.value)"
    case .count(let place, let added): "\(place.uid).\(place.field) + \(added)"
    case .delete(let uid): "deletes \(uid)"
    }
  }
}
