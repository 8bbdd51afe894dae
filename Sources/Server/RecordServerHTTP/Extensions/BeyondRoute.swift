import HTTPServer
import JSONStream
import RecordServer
import RecordWire
import ServerAccess

/// What this server has beyond the protocol, under paths of its own.
///
/// A client finds out by asking for `capabilities`, and loses nothing if it never does.
enum BeyondRoute {
  /// The names that there are.
  static let names: Set<String> = ["capabilities", "changes/stream"]

  static let row = ServedRoute(
    serves: { if case .extension = $0 { true } else { false } },
    answer: { site, facts, route in
      guard case .extension(let place, let scope, let name) = route else { return .nothing(facts) }
      if facts.request.method == .options { return try site.preflight(facts, place) }
      var answer: Answer
      do {
        answer = try await site.beyond(facts, place, scope, name)
      } catch {
        answer = .failure(error, id: facts.id)
      }
      try site.letPageRead(&answer, facts, place)
      return answer
    })
}

extension RecordSite {
  fileprivate func beyond(
    _ facts: RequestFacts, _ place: Place, _ scope: DatabaseScope?, _ name: String
  ) async throws -> Answer {
    switch (scope, name) {
    case (nil, "capabilities"):
      try facts.check([.get, .post])
      _ = try caller(facts, place, .everyone)
      return .json(try Capabilities(configuration).json())
    case (let scope?, "changes/stream"):
      try facts.check([.get])
      return try changeStream(facts, place, scope)
    default:
      throw RequestFailure(.notFound, reason: "there is nothing at this path")
    }
  }

  /// A stream of hints that something changed in a database: server-sent events.
  private func changeStream(
    _ facts: RequestFacts, _ place: Place, _ scope: DatabaseScope
  ) throws -> Answer {
    let caller = try caller(facts, place, scope.access)
    guard let host = containers[place.container], let user = caller.recordName,
      scope == .private
    else {
      throw RequestFailure(
        .badRequest, reason: "only a private database has a change stream")
    }
    let hints = host.changes(place.environment).hints(of: .user(user))
    let isStillAllowed: @Sendable () -> Bool = { [self] in
      (try? access.authentication.authenticate(
        facts.credentials, in: place.forAccess, scope: scope.access, now: sources.milliseconds()))
        != nil
    }
    let stream = HTTPStream(whenDraining: .cancel) { writer in
      // Whoever has opened the stream reads the feed next: what comes after this line is not missed.
      try await writer.write(": open\n\n")
      for await hint in hints {
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

/// What a client is told that asks what this server has beyond the protocol.
struct Capabilities {
  let configuration: SiteConfiguration

  init(_ configuration: SiteConfiguration) { self.configuration = configuration }

  func json() throws -> [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      json.member("server", "recordd")
      json.member("requestBytesMax", configuration.bodyBytesMax)
      json.key("extensions")
      json.array { json in
        for name in ["changeStream", "gzip"] { json.string(name) }
      }
    }
    return try writer.finish()
  }
}
