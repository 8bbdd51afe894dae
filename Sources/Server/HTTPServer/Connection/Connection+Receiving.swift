import Synchronization

extension Connection {
  /// Takes bytes that wait, or reads some; false when there are none now.
  func receive() -> Bool {
    if !input.isEmpty {
      let bytes = input
      input = []
      take(bytes.span)
      return true
    }
    guard isReadable else { return false }
    switch transport.read(into: loop.scratch) {
    case .bytes(let count):
      Counters.add(count, to: loop.counters.bytesIn)
      // NB: there was no more, and an event tells when there is (epoll(7), "EPOLLET"). Asking costs as much as reading.
      // Under TLS some may wait in the session, and the end of the peer's side comes without another event.
      if count < loop.scratch.count, transport.tls == nil, !hasPeerEnded { isReadable = false }
      let bytes = UnsafeBufferPointer(rebasing: loop.scratch.bindMemory(to: UInt8.self)[..<count])
      take(bytes.span)
      return true
    case .wouldBlock:
      isReadable = false
      return false
    case .ended:
      isReadable = false
      // What was asked is answered, or waits in the output; half a request is nobody's.
      phase = .finishing
      flush()
      return false
    case .failed:
      close()
      return false
    }
  }

  /// Takes requests out of the bytes, one after another, and keeps the rest when one has to wait.
  private func take(_ bytes: Span<UInt8>) {
    var offset = 0
    // NB: the high-water mark is tested for each request. A client that sends requests and never reads would else fill
    // the memory with the responses to what was read in one go.
    while phase == .receiving, hasRoom, hasTurn {
      switch parser.next(bytes, at: &offset) {
      case .needsMore: return
      case .head(let head): begin(head)
      case .body(let body): dispatch(body)
      case .refused(let fault): refuse(fault)
      }
    }
    guard phase == .receiving || phase == .handling || phase == .streaming else { return }
    bytes.extracting(offset..<bytes.count).withUnsafeBufferPointer { input = Array($0) }
  }

  private func begin(_ head: HTTPRequestHead) {
    Counters.add(1, to: loop.counters.requests)
    self.head = head
    let limit = loop.share.handler.bodyLimit?(head) ?? configuration.limits.bodyBytesMax
    if let fault = parser.acceptBody(limit: limit) {
      refuse(fault)
    } else if head.expectsContinue, head.framing != .none {
      output.append(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      Counters.add(1, to: loop.counters.responses1xx)
    }
  }

  private func dispatch(_ body: [UInt8]) {
    guard let head else { return }
    setWait(.nothing)
    let request: HTTPRequest
    do throws(RequestFault) {
      request = HTTPRequest(
        head: head, body: try expanded(body, head), remoteAddress: remoteAddress,
        id: loop.makeRequestID(), isSecure: transport.tls != nil)
    } catch {
      refuse(error)
      return
    }
    // The body is the handler's now, and no longer counted here.
    settle()
    guard loop.share.budget.change(from: 0, to: request.body.count) else {
      Counters.add(1, to: loop.counters.overloads)
      refuse(.overloaded)
      return
    }
    phase = .handling
    switch loop.share.handler.reply(request) {
    case .now(let response):
      answersThisTurn += 1
      giveBackBody(of: request)
      respond(response)
    case .later(let respond): run(respond, for: request)
    }
  }

  private func expanded(
    _ body: [UInt8], _ head: HTTPRequestHead
  ) throws(RequestFault) -> [UInt8] {
    guard head.framing != .none, head.headers.contains("content-encoding") else { return body }
    switch ContentCodings.requestCoding(head.headers.values(of: "content-encoding")) {
    case .plain: return body
    case .gzip:
      return try GzipDecoder.decode(
        body, expandedBytesMax: configuration.limits.expandedBodyBytesMax)
    case .unknown: throw .unknownContentCoding
    }
  }

  private func run(
    _ respond: @escaping @Sendable () async -> HTTPResponse, for request: HTTPRequest
  ) {
    loop.openTasks += 1
    task = Task(executorPreference: loop) { [self] in
      let response = await respond()
      loop.perform { [self] in
        loop.openTasks -= 1
        task = nil
        giveBackBody(of: request)
        guard phase == .handling else { return }
        self.respond(response)
        advance()
      }
    }
  }

  /// The handler has done with the request.
  private func giveBackBody(of request: HTTPRequest) {
    _ = loop.share.budget.change(from: request.body.count, to: 0)
  }

  /// Answers a request that nobody handles, and ends the connection.
  func refuse(_ fault: RequestFault) {
    guard phase == .receiving || phase == .handling else { return }
    phase = .handling
    parser.dropBody()
    var response = HTTPResponse(
      status: fault.status, headers: ["Content-Type": "text/plain; charset=utf-8"],
      body: Array((fault.message + "\n").utf8))
    if fault.isTemporary { response.headers.append("Retry-After", "1") }
    response.closesConnection = true
    respond(response)
  }
}
