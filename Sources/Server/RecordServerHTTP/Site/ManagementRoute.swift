import HTTPServer
import RecordServer
import RecordWire
import ServerAccess

/// The management of schemas.
enum ManagementRoute {
  /// What requests are counted by.
  static let names = Set(ManagementVerb.allCases.map(\.rawValue))

  static let row = ServedRoute(
    serves: { if case .management = $0 { true } else { false } },
    answer: { site, facts, route in
      guard case .management(let container, let name) = route,
        let verb = ManagementVerb(rawValue: name),
        let endpoint = ManagementEndpoint.rows.first(where: { $0.verb == verb })
      else { return .nothing(facts) }
      try facts.check([HTTPMethod(rawValue: endpoint.method.rawValue)])
      return try await site.manage(facts, container, endpoint)
    })
}

extension RecordSite {
  fileprivate func manage(
    _ facts: RequestFacts, _ container: String, _ endpoint: ManagementEndpoint
  ) async throws -> Answer {
    let now = sources.milliseconds()
    let caller = try manager(facts, container, endpoint, now)
    guard let host = containers[container] else {
      throw RequestFailure(.notFound, reason: "there is no container '\(container.prefix(64))'")
    }
    let outcome = try await host.schemas.run(
      endpoint.verb, body: facts.request.body, query: facts.request.query,
      mark: AuditMark(by: caller.name, at: now), uuid: facts.id)
    if outcome.schema != nil {
      log.event(
        .info, "schema",
        [
          "id": .text(facts.id), "act": .text(endpoint.verb.rawValue),
          "container": .text(container), "by": .text(caller.name),
        ])
    }
    var answer = Answer.json(try outcome.answer.json(), status: HTTPStatus(outcome.status))
    if outcome.status != 200 { answer.code = .conflict }
    return answer
  }

  private func manager(
    _ facts: RequestFacts, _ container: String, _ endpoint: ManagementEndpoint, _ now: Int64
  ) throws(RequestFailure) -> ManagementCaller {
    try lookAtRefusals(of: .address(facts.host), now)
    let caller: ManagementCaller
    do throws(AccessFailure) {
      caller = try access.authentication.authenticateManagement(
        facts.bearer, container: container, needs: endpoint.needsWriting ? .write : .read,
        now: now)
    } catch {
      throw refusal(error, facts, nil, now)
    }
    try admit(
      [RateKey(.management, caller.tokenID), .address(facts.host)], now)
    return caller
  }
}
