import Synchronization

extension Connection {
  /// Puts the response into the output, and goes on to what comes after it.
  func respond(_ response: consuming HTTPResponse) {
    if let head { loop.compression.apply(to: &response, for: head) }
    var plan = plan(for: response)
    // NB: given away, so that the body is put behind it in place.
    output.append(plan.takeHead())
    let closes = plan.closes
    if case .stream(let stream, let isChunked) = plan.body {
      start(stream, isChunked: isChunked, closes: closes)
      return
    }
    if case .bytes(let body) = plan.body { output.append(body) }
    finishResponse(closes: closes)
  }

  func finishResponse(closes: Bool) {
    head = nil
    if closes {
      phase = .finishing
      input = []
    } else {
      phase = .receiving
    }
  }

  private func plan(for response: HTTPResponse) -> ResponsePlan {
    let circumstances = ResponsePlan.Circumstances(
      method: head?.method ?? .get, version: head?.version ?? .http11,
      closes: loop.isDraining || (head?.closesConnection ?? true))
    if let plan = ResponsePlan(response, in: circumstances, dateLine: loop.dateLine()) {
      loop.counters.countResponse(response.status)
      return plan
    }
    // A handler's mistake, such as a line break in a header: nothing of its response is sent.
    loop.counters.countResponse(.internalServerError)
    return ResponsePlan(
      HTTPResponse(status: .internalServerError), in: circumstances, dateLine: loop.dateLine())
      ?? ResponsePlan.nothing
  }
}

extension ResponsePlan {
  /// Gives the head away.
  fileprivate mutating func takeHead() -> [UInt8] {
    let taken = head
    head = []
    return taken
  }

  /// Ends the connection without a word.
  static var nothing: ResponsePlan { ResponsePlan(head: [], body: .none, closes: true) }

  private init(head: [UInt8], body: Body, closes: Bool) {
    self.head = head
    self.body = body
    self.closes = closes
  }
}
