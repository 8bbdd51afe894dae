import HTTPServer
import RecordServer
import RecordWire
import ServerAccess

/// The operations of the protocol.
enum OperationRoute {
  static let row = ServedRoute(
    serves: { if case .operation = $0 { true } else { false } },
    reply: { site, facts, known in
      guard case .operation(let place, let scope, _) = known.route, let asked = known.operation
      else { return .now(.nothing(facts)) }
      if facts.request.method == .options { return .now(try site.preflight(facts, place)) }
      return try site.operation(facts, place, scope, asked)
    })
}

/// What the protocol has for devices: push notifications, which this server does not send.
enum DeviceRoute {
  static let row = ServedRoute(
    serves: { if case .device = $0 { true } else { false } },
    answer: { site, facts, route in
      guard case .device(let place, let path) = route else { return .nothing(facts) }
      _ = try site.caller(facts, place, .everyone)
      throw RecordService.unserved(path)
    })
}

extension RecordSite {
  /// The answer to an operation: at once where it waits for nothing.
  fileprivate func operation(
    _ facts: RequestFacts, _ place: Place, _ scope: DatabaseScope, _ asked: KnownRoute.Operation
  ) throws -> Reply {
    let done: Result<[UInt8], any Error>
    do {
      let call = try call(facts, place, scope, asked)
      guard let host = containers[place.container] else {
        // A token for a container that is not served any more.
        throw RequestFailure(.authenticationFailed)
      }
      let service = host.service(place.environment)
      guard let body = try service.answerAtOnce(asked.named, call, body: facts.request.body)
      else {
        return .later { [self] in try await answer(asked.named, call, facts, place, by: service) }
      }
      done = .success(body)
    } catch {
      done = .failure(error)
    }
    return .now(try answer(done, facts, place))
  }

  private func answer(
    _ operation: NamedOperation, _ call: ServiceCall, _ facts: RequestFacts, _ place: Place,
    by service: RecordService
  ) async throws -> Answer {
    let done: Result<[UInt8], any Error>
    do {
      done = .success(try await service.answer(operation, call, body: facts.request.body))
    } catch {
      done = .failure(error)
    }
    return try answer(done, facts, place)
  }

  /// What an operation came to as an answer: pages of other origins may read failures too.
  private func answer(
    _ body: Result<[UInt8], any Error>, _ facts: RequestFacts, _ place: Place
  ) throws -> Answer {
    var answer: Answer
    do {
      answer = .json(try body.get())
      renewToken(&answer, facts, place)
    } catch {
      answer = .failure(error, id: facts.id)
    }
    letPageRead(&answer, facts, place)
    return answer
  }

  /// Who asks what for an operation, counted.
  private func call(
    _ facts: RequestFacts, _ place: Place, _ scope: DatabaseScope, _ asked: KnownRoute.Operation
  ) throws -> ServiceCall {
    try facts.check(asked.methods)
    let caller = try caller(facts, place, asked.isAboutUsers ? .identity : scope.access)
    var call = call(facts, caller, scope)
    if asked.isAboutUsers { call.person = try person(caller) }
    return call
  }

  func call(_ facts: RequestFacts, _ caller: Caller, _ scope: DatabaseScope) -> ServiceCall {
    var call = ServiceCall(
      scope, caller: RecordCaller(user: caller.recordName, roles: caller.roles),
      now: sources.milliseconds(), source: freshSource)
    call.wantsSyncToken = facts.query["getCurrentSyncToken"] == "true"
    return call
  }

  /// What is known of the person who asks.
  private func person(_ caller: Caller) throws(AccountError) -> UserIdentity {
    var person = UserIdentity(userRecordName: caller.recordName)
    guard let id = caller.userID, let user = try access.authentication.accounts.user(id: id) else {
      return person
    }
    func known(_ text: String) -> String? { text.isEmpty ? nil : text }
    person.firstName = known(user.givenName)
    person.lastName = known(user.familyName)
    person.emailAddress = known(user.email)
    if person.firstName != nil || person.lastName != nil {
      person.nameComponents = NameComponents(
        givenName: person.firstName, familyName: person.lastName)
    }
    return person
  }

  /// Each answer to a user has the token to go on with.
  ///
  /// What is answered is done by then: that the token cannot be looked up now makes it no failure.
  func renewToken(_ answer: inout Answer, _ facts: RequestFacts, _ place: Place) {
    guard let token = facts.query["ckWebAuthToken"] else { return }
    do throws(AccessFailure) {
      let renewed = try access.authentication.renewed(
        token, in: place.forAccess, now: sources.milliseconds())
      if let renewed { answer.response.headers.append(CrossOrigin.tokenHeader, renewed) }
    } catch {
      log.event(.error, "accounts", ["id": .text(facts.id), "detail": .text("\(error)")])
    }
  }
}

// Pages of other origins.
extension RecordSite {
  /// The answer to a browser that asks whether a page may send something.
  func preflight(_ facts: RequestFacts, _ place: Place) throws -> Answer {
    guard let origin = facts.origin, try allows(origin, facts, place) else {
      throw RequestFailure(.accessDenied, reason: "the API token does not allow this origin")
    }
    return Answer(response: CrossOrigin.preflight(origin))
  }

  /// Lets the page that a request comes from read the answer, if its API token lets it.
  ///
  /// Where that cannot be found out now, it does not.
  func letPageRead(_ answer: inout Answer, _ facts: RequestFacts, _ place: Place) {
    guard let origin = facts.origin, (try? allows(origin, facts, place)) == true else { return }
    CrossOrigin.allow(origin, &answer.response)
  }

  private func allows(
    _ origin: String, _ facts: RequestFacts, _ place: Place
  ) throws(RequestFailure) -> Bool {
    guard let token = facts.query["ckAPIToken"] else { return false }
    do throws(AccessFailure) {
      return try access.authentication.allowsOrigin(
        origin, apiToken: token, in: place.forAccess, now: sources.milliseconds())
    } catch {
      if case .authenticationFailed = error { return false }
      throw refusal(error, facts, place, sources.milliseconds())
    }
  }
}
