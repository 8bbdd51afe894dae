import RecordWire
import SyncCore

// What a session does while a request is under way: it takes in the answer before, and puts together the
// request after, so that store and server work at the same time.
//
// At most three batches exist at once: one whose answer is read and not yet taken in, one that is under way,
// and one that is ready. All three are in the store as requests that may have arrived, so that whoever
// comes after an end in between treats them as such.
extension SyncSession {
  /// A batch that the server has taken as a whole, and what it says.
  struct TakenBatch {
    var batch: PushBatch
    var response: RecordsResponse
  }

  /// Uses the time in which a request is under way.
  package func work(now: Int64) throws {
    try takeInAnswers(now)
    guard sabotage.isEmpty, let batch, readyBatch == nil else { return }
    var hasSettled = false
    readyBatch = try nextBatch(beside: batch, now, hasSettled: &hasSettled)
  }

  /// Takes in the answers that were read only.
  func takeInAnswers(_ now: Int64) throws {
    if let taken = takenBatch {
      takenBatch = nil
      _ = try take(taken.response, to: taken.batch, now)
    }
    if let page = readPage {
      readPage = nil
      if case .done(let facts) = try apply(page, now) { lateTally += facts.tally }
    }
  }

  /// Takes back the batch that is ready: what is known by now may be something else.
  func withdrawReadyBatch() throws {
    guard let ready = readyBatch else { return }
    readyBatch = nil
    try takeBack(ready)
  }

  /// Leaves nothing for later: what comes next needs the store as it is.
  func catchUp(_ now: Int64) throws {
    try withdrawReadyBatch()
    try takeInAnswers(now)
  }
}

extension PushBatch {
  /// Whether the server has taken all of it, so that nothing but to note that down is left to do.
  func isTaken(by response: RecordsResponse) -> Bool {
    response.records.count == items.count
      && response.records.allSatisfy { result in
        if case .record = result { true } else { false }
      }
  }
}
