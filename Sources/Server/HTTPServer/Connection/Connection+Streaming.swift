import Synchronization

/// A response that is being streamed.
struct StreamState {
  typealias Waiter = CheckedContinuation<Void, any Error>

  let isChunked: Bool
  let closes: Bool
  let whenDraining: HTTPStream.WhenDraining
  /// Writes that wait for room in the output.
  private var waiters: [Waiter] = []

  init(isChunked: Bool, closes: Bool, whenDraining: HTTPStream.WhenDraining) {
    self.isChunked = isChunked
    self.closes = closes
    self.whenDraining = whenDraining
  }

  mutating func add(_ waiter: Waiter) { waiters.append(waiter) }

  mutating func wakeWriters() {
    guard !waiters.isEmpty else { return }
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  mutating func end(throwing error: HTTPStreamError) {
    for waiter in waiters { waiter.resume(throwing: error) }
    waiters = []
  }
}

extension Connection {
  func start(_ stream: HTTPStream, isChunked: Bool, closes: Bool) {
    phase = .streaming
    // Nobody asks for it any more, and the stream may last for days.
    head = nil
    streamCount &+= 1
    self.stream = StreamState(
      isChunked: isChunked, closes: closes, whenDraining: stream.whenDraining)
    Counters.add(1, to: loop.counters.streams)
    loop.openTasks += 1
    let writer = HTTPBodyWriter(connection: self, stream: streamCount)
    let produce = stream.produce
    task = Task(executorPreference: loop) { [self] in
      let isWhole: Bool
      do {
        try await produce(writer)
        isWhole = true
      } catch {
        isWhole = error is CancellationError
      }
      loop.perform { [self] in endStream(isWhole: isWhole) }
    }
    if loop.isDraining, stream.whenDraining == .cancel { task?.cancel() }
  }

  private func endStream(isWhole: Bool) {
    loop.openTasks -= 1
    task = nil
    Counters.add(-1, to: loop.counters.streams)
    guard phase == .streaming, var stream else { return }
    guard isWhole else {
      close()
      return
    }
    stream.end(throwing: .streamHasEnded)
    self.stream = nil
    if stream.isChunked { output.append(Array("0\r\n\r\n".utf8)) }
    finishResponse(closes: stream.closes || loop.isDraining)
    advance()
  }

  /// Puts a part of a stream into the output, and lets the writer go on once there is room.
  func write(_ bytes: [UInt8], stream number: UInt64, _ waiter: StreamState.Waiter) {
    guard phase == .streaming, stream != nil, number == streamCount else {
      waiter.resume(throwing: phase == .closed ? HTTPStreamError.clientIsGone : .streamHasEnded)
      return
    }
    append(bytes)
    // NB: nothing is read here. Another connection's handler may be the caller, with the loop's buffer in its hands.
    flush()
    account()
    guard phase == .streaming else {
      waiter.resume(throwing: HTTPStreamError.clientIsGone)
      return
    }
    if hasRoom { waiter.resume() } else { stream?.add(waiter) }
    updateWait()
  }

  private func append(_ bytes: [UInt8]) {
    // A chunk without bytes would be the mark of the end.
    guard let stream, !bytes.isEmpty else { return }
    guard stream.isChunked else {
      output.append(bytes)
      return
    }
    output.append(Array((String(bytes.count, radix: 16) + "\r\n").utf8))
    output.append(bytes)
    output.append([ASCII.carriageReturn, ASCII.lineFeed])
  }
}
