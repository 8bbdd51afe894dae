import HTTPServer
import RecordServer
import RecordWire
import ServerAccess

extension RecordSite {
  /// Answers as `changes/database` does, and waits for a while where nothing has changed yet: for clients
  /// behind something that lets no stream through.
  ///
  /// The wait ends with the next reminder of streams, so that whoever has left is found out.
  func changeWait(
    _ facts: RequestFacts, _ place: Place, _ scope: DatabaseScope
  ) async throws -> Answer {
    let caller = try caller(facts, place, scope.access)
    guard let host = containers[place.container], let user = caller.recordName,
      scope == .private
    else {
      throw RequestFailure(.badRequest, reason: "only a private database's changes are waited for")
    }
    let hub = host.changes(place.environment)
    guard let held = hub.place(.user(user), atMost: configuration.userStreamsMax) else {
      throw RequestFailure(
        .throttled, reason: "a user has at most \(configuration.userStreamsMax) change streams",
        retryAfter: Int64(configuration.streamReminderSeconds))
    }
    // Before the first look: what is committed in between is not missed.
    let waiter = hub.join(.user(user))
    defer { withExtendedLifetime(held) { hub.leave(.user(user), waiter) } }
    let service = host.service(place.environment)
    func look() async throws -> [UInt8] {
      try await service.answer(
        "changes/database", call(facts, caller, scope), body: facts.request.body)
    }
    var body = try await look()
    if try DatabaseChangesResponse(json: body).zones.isEmpty, await waiter.next() == .changed {
      body = try await look()
    }
    var answer = Answer.json(body)
    renewToken(&answer, facts, place)
    return answer
  }
}
