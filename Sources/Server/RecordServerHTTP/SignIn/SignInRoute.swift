import HTTPServer
import RecordWire
import ServerAccess

extension RecordSite {
  /// Shows the page on which users sign in, and takes what they type.
  func signInPage(_ facts: RequestFacts) async throws -> Answer {
    try facts.check([.get, .post])
    guard let id = facts.query["token"], let page = try page(id, facts) else {
      return SignInHTML.answer(SignInHTML.message(SignInFailure.unknownPage.message), status: 404)
    }
    let opener = facts.query["origin"]
    guard facts.request.method == .post else {
      return SignInHTML.answer(SignInHTML.form(page, message: nil))
    }
    // Only the page itself sends the form: another site cannot sign somebody in as someone else.
    guard isFromHere(facts) else {
      return SignInHTML.answer(SignInHTML.form(page, message: "Please try again."), status: 403)
    }
    let form = QueryParameters(facts.request.body[...], isForm: true)
    let attempt = SignInAttempt(
      apiTokenID: id, name: form["name"] ?? "", password: form["password"] ?? "",
      keepSignedIn: form["keep"] == "on", address: facts.host)
    do throws(SignInFailure) {
      let token = try await access.signIn.signIn(attempt, now: sources.milliseconds())
      return handOver(token.text, page, opener: opener)
    } catch {
      return refused(error, page, facts)
    }
  }

  private func page(_ id: String, _ facts: RequestFacts) throws(RequestFailure) -> SignInPage? {
    do throws(SignInFailure) {
      return try access.signIn.page(apiTokenID: id)
    } catch {
      if case .unavailable(let error) = error {
        log.event(.error, "accounts", ["id": .text(facts.id), "detail": .text("\(error)")])
      }
      throw RequestFailure(.tryAgainLater, reason: error.message, retryAfter: 1)
    }
  }

  /// Whether the browser says that the form was sent by a page of this server.
  private func isFromHere(_ facts: RequestFacts) -> Bool {
    guard let origin = facts.origin else {
      // A program, or an old browser; it knows the password, and no page made it send that.
      return facts.request.headers["Sec-Fetch-Site"].map { $0 == "same-origin" } ?? true
    }
    return origin == configuration.origin
  }

  private func handOver(_ token: String, _ page: SignInPage, opener: String?) -> Answer {
    if let address = page.callback.destination(with: PercentCoding.encoded(token)) {
      var response = HTTPResponse(status: HTTPStatus(303))
      response.headers.append("Location", address)
      response.headers.append("Cache-Control", "no-store")
      response.headers.append("Referrer-Policy", "no-referrer")
      return Answer(response: response)
    }
    guard let target = page.messageTarget(opener: opener) else {
      return SignInHTML.answer(
        SignInHTML.message("You are signed in, but the page that asked is not known to the app."),
        status: 403)
    }
    return SignInHTML.answer(SignInHTML.handOver(token, to: target))
  }

  private func refused(
    _ failure: SignInFailure, _ page: SignInPage, _ facts: RequestFacts
  ) -> Answer {
    let html = SignInHTML.form(page, message: failure.message)
    switch failure {
    case .refused: return SignInHTML.answer(html, status: 403)
    case .unknownPage: return SignInHTML.answer(html, status: 404)
    case .tooMany(let seconds):
      var answer = SignInHTML.answer(html, status: 429)
      answer.response.headers.append("Retry-After", String(seconds))
      return answer
    case .unavailable(let error):
      log.event(.error, "accounts", ["id": .text(facts.id), "detail": .text("\(error)")])
      return SignInHTML.answer(html, status: 503)
    }
  }
}

extension SiteConfiguration {
  /// Scheme and authority of the public address, as browsers name it.
  var origin: String {
    let parts = publicURL.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.prefix(3).joined(separator: "/").lowercased()
  }
}
