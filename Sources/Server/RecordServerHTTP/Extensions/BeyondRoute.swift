import HTTPServer
import RecordServer
import RecordWire
import ServerAccess

/// What this server has beyond the protocol, under paths of its own.
///
/// A client finds out by asking for `capabilities`, and loses nothing if it never does.
enum BeyondRoute {
  /// What requests are counted by.
  static let names = Set(BeyondRow.rows.map(\.name))

  static let row = ServedRoute(
    serves: { if case .extension = $0 { true } else { false } },
    answer: { site, facts, route in
      guard case .extension(let place, let scope, let name) = route else { return .nothing(facts) }
      if facts.request.method == .options { return try site.preflight(facts, place) }
      var answer: Answer
      do {
        guard let row = BeyondRow.at(name, scope) else {
          throw RequestFailure(.notFound, reason: "there is nothing at this path")
        }
        try facts.check(row.methods)
        answer = try await row.answer(site, facts, place, scope ?? .public)
      } catch {
        answer = .failure(error, id: facts.id)
      }
      site.letPageRead(&answer, facts, place)
      return answer
    })
}

/// One extension: where it is, and what answers it.
struct BeyondRow: Sendable {
  /// The end of its path.
  let name: String
  /// Whether the path has a database before the name.
  let isOfDatabase: Bool
  /// How it is asked for.
  let methods: [HTTPMethod]
  /// What answers it; for what is of no database, the scope is the public one.
  let answer: @Sendable (RecordSite, RequestFacts, Place, DatabaseScope) async throws -> Answer

  /// Every extension: those that the record service answers, and what only the site knows of.
  static let rows: [BeyondRow] =
    [
      BeyondRow(
        name: "capabilities", isOfDatabase: false, methods: [.get, .post],
        answer: { site, facts, place, _ in try site.capabilities(facts, place) }),
      BeyondRow(
        name: "changes/stream", isOfDatabase: true, methods: [.get],
        answer: { site, facts, place, scope in try site.changeStream(facts, place, scope) }),
      BeyondRow(
        name: "changes/wait", isOfDatabase: true, methods: [.post],
        answer: { site, facts, place, scope in try await site.changeWait(facts, place, scope) }),
    ] + ExtensionEndpoint.rows.filter { RecordService.servesExtension($0.path) }.map(answered)

  /// The extension of that name; nil when there is none, or not with or without a database.
  static func at(_ name: String, _ scope: DatabaseScope?) -> BeyondRow? {
    rows.first { $0.name == name && $0.isOfDatabase == (scope != nil) }
  }

  /// An extension that the record service answers.
  private static func answered(_ endpoint: ExtensionEndpoint) -> BeyondRow {
    BeyondRow(
      name: endpoint.path, isOfDatabase: !endpoint.databases.isEmpty,
      methods: endpoint.methods.map { HTTPMethod(rawValue: $0.rawValue) },
      answer: { site, facts, place, scope in
        try await site.answerExtension(endpoint, facts, place, scope)
      })
  }
}

extension RecordSite {
  fileprivate func capabilities(_ facts: RequestFacts, _ place: Place) throws -> Answer {
    _ = try caller(facts, place, .everyone)
    let limits = containers[place.container]?.service(place.environment).limits
    return .json(try Capabilities(configuration, limits ?? ServiceLimits()).message.json())
  }

  fileprivate func answerExtension(
    _ endpoint: ExtensionEndpoint, _ facts: RequestFacts, _ place: Place, _ scope: DatabaseScope
  ) async throws -> Answer {
    let caller = try caller(facts, place, scope.access)
    guard let host = containers[place.container] else {
      // A token for a container that is not served any more.
      throw RequestFailure(.authenticationFailed)
    }
    let body = try await host.service(place.environment).answerExtension(
      endpoint.path, call(facts, caller, scope), body: facts.request.body)
    var answer = Answer.json(body)
    renewToken(&answer, facts, place)
    return answer
  }

  /// A stream of hints that something changed in a database: server-sent events.
  fileprivate func changeStream(
    _ facts: RequestFacts, _ place: Place, _ scope: DatabaseScope
  ) throws -> Answer {
    let caller = try caller(facts, place, scope.access)
    guard let host = containers[place.container], let user = caller.recordName,
      scope == .private
    else {
      throw RequestFailure(
        .badRequest, reason: "only a private database has a change stream")
    }
    let hub = host.changes(place.environment)
    guard let held = hub.place(.user(user), atMost: configuration.userStreamsMax) else {
      // Whoever is gone without a word is found out by the next reminder.
      throw RequestFailure(
        .throttled, reason: "a user has at most \(configuration.userStreamsMax) change streams",
        retryAfter: Int64(configuration.streamReminderSeconds))
    }
    // NB: the credentials alone. The request would stay in memory as long as the stream.
    let credentials = facts.credentials
    let isStillAllowed: @Sendable () -> Bool = { [self] in
      (try? access.authentication.authenticate(
        credentials, in: place.forAccess, scope: scope.access, now: sources.milliseconds()))
        != nil
    }
    let stream = HTTPStream(whenDraining: .cancel) { writer in
      let waiter = hub.join(.user(user))
      defer { withExtendedLifetime(held) { hub.leave(.user(user), waiter) } }
      // Whoever has opened the stream reads the feed next: what comes after this line is not missed.
      try await writer.write(": open\n\n")
      while let hint = await waiter.next() {
        switch hint {
        case .changed: try await writer.write("event: changed\ndata: {}\n\n")
        case .stillHere:
          guard isStillAllowed() else { return }
          try await writer.write(": still here\n\n")
        }
      }
    }
    return Answer(
      response: HTTPResponse(
        headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
        stream: stream))
  }

  /// Reminds those who wait for changes that the server is there, until the task ends.
  public func remindStreams() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(configuration.streamReminderSeconds))
      for host in containers.all {
        host.developmentChanges.remind()
        host.productionChanges.remind()
      }
    }
  }
}
