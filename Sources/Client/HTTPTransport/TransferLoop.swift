import CCurl
import Glibc
import Synchronization

/// One thread that drives all transfers of a client.
///
/// `@unchecked Sendable`: `inbox` may be used by anyone, and so may `multi` for waking, under the inbox's mutex and
/// while that is open. Everything marked as confined is used by the thread alone, in `run()`, which is called once.
final class TransferLoop: @unchecked Sendable {
  /// What others leave for the thread.
  private enum Work: Sendable {
    case start(Transfer)
    case cancel(Transfer)
    case end
  }

  /// Guards the work that comes from other threads; nil once the thread has ended.
  private let inbox = Mutex<[Work]?>([])
  private let multi: UnsafeMutableRawPointer
  private let configuration: HTTPClientConfiguration

  // Confined.
  private var transfers: [OpaqueEasy: Transfer] = [:]
  private var idle: [OpaqueEasy] = []
  private var isEnding = false

  /// Transfers of libcurl that are kept for the next requests.
  private static let idleMax = 32
  /// How long the thread sleeps when nothing happens; timeouts wake it by themselves.
  private static let sleepMilliseconds: Int32 = 60_000
  /// libcurl's own preparations, once for the process.
  private static let preparation = contrail_curl_global_begin()

  static func start(
    _ configuration: HTTPClientConfiguration
  ) throws(HTTPClientError) -> TransferLoop {
    guard preparation == CURLE_OK, let multi = curl_multi_init() else {
      throw HTTPClientError(.clientFailed, url: "libcurl", "libcurl cannot start")
    }
    let loop = TransferLoop(multi, configuration)
    try loop.startThread()
    return loop
  }

  private init(_ multi: UnsafeMutableRawPointer, _ configuration: HTTPClientConfiguration) {
    self.multi = multi
    self.configuration = configuration
    let limits = [
      (CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHostMax),
      (CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.connectionsMax),
      (CURLMOPT_MAXCONNECTS, configuration.connectionsMax),
    ]
    for (option, limit) in limits {
      contrail_curl_multi_set_long(multi, option, max(1, limit))
    }
  }

  deinit { curl_multi_cleanup(multi) }

  private func startThread() throws(HTTPClientError) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard result == 0 else {
      context.release()
      throw HTTPClientError(.clientFailed, url: "thread", "the system gives no thread")
    }
    pthread_detach(thread)
  }

  // MARK: Anyone

  /// Begins a transfer, whose waiter hears of its end.
  func start(
    _ transfer: Transfer,
    _ waiter: CheckedContinuation<Result<HTTPClientResponse, HTTPClientError>, Never>
  ) {
    transfer.expect(waiter)
    // The thread ends only after the client has gone, and nobody can call then.
    if !leave(.start(transfer)) { transfer.finish(transfer.cancellation) }
  }

  /// Ends a transfer that has begun, or will begin.
  func cancel(_ transfer: Transfer) {
    transfer.isCancelled.store(true, ordering: .relaxed)
    leave(.cancel(transfer))
  }

  /// Lets the thread end after its last transfer.
  func end() { leave(.end) }

  @discardableResult
  private func leave(_ work: Work) -> Bool {
    inbox.withLock { inbox in
      guard inbox != nil else { return false }
      inbox?.append(work)
      if inbox?.count == 1 { curl_multi_wakeup(multi) }
      return true
    }
  }

  // MARK: The thread

  private func run() {
    contrail_block_sigpipe()
    repeat {
      for work in takeWork() { perform(work) }
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      finishEnded()
      if isEnding, transfers.isEmpty { break }
      curl_multi_poll(multi, nil, 0, Self.sleepMilliseconds, nil)
    } while true
    for work in inbox.withLock({ $0.take() ?? [] }) { refuse(work) }
    for easy in idle { curl_easy_cleanup(easy) }
  }

  private func takeWork() -> [Work] {
    inbox.withLock { inbox in
      let work = inbox ?? []
      inbox = []
      return work
    }
  }

  private func perform(_ work: Work) {
    switch work {
    case .start(let transfer): begin(transfer)
    case .cancel(let transfer): abandon(transfer)
    case .end: isEnding = true
    }
  }

  private func refuse(_ work: Work) {
    if case .start(let transfer) = work { transfer.finish(transfer.cancellation) }
  }

  private func begin(_ transfer: Transfer) {
    guard !transfer.isCancelled.load(ordering: .relaxed) else {
      return transfer.finish(transfer.cancellation)
    }
    guard let easy = idle.popLast() ?? curl_easy_init() else {
      return transfer.finish(transfer.result(of: CURLE_OUT_OF_MEMORY))
    }
    let result = transfer.prepare(easy, configuration)
    guard result == CURLE_OK else {
      recycle(easy)
      return transfer.finish(transfer.result(of: result))
    }
    transfers[easy] = transfer
    if curl_multi_add_handle(multi, easy) != CURLM_OK {
      end(easy, with: transfer.result(of: CURLE_OUT_OF_MEMORY))
    }
  }

  private func abandon(_ transfer: Transfer) {
    guard let easy = transfers.first(where: { $0.value === transfer })?.key else { return }
    end(easy, with: transfer.cancellation)
  }

  private func finishEnded() {
    var ended: OpaqueEasy?
    var code = CURLE_OK
    while contrail_curl_next_end(multi, &ended, &code) != 0 {
      guard let easy = ended, let transfer = transfers[easy] else { continue }
      end(easy, with: transfer.result(of: code))
    }
  }

  /// Takes the transfer away from libcurl before its waiter hears: from then on nothing points to it.
  private func end(
    _ easy: OpaqueEasy, with result: Result<HTTPClientResponse, HTTPClientError>
  ) {
    curl_multi_remove_handle(multi, easy)
    recycle(easy)
    transfers.removeValue(forKey: easy)?.finish(result)
  }

  private func recycle(_ easy: OpaqueEasy) {
    guard idle.count < Self.idleMax else { return curl_easy_cleanup(easy) }
    curl_easy_reset(easy)
    idle.append(easy)
  }
}
