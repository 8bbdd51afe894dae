import Foundation
import Glibc
import Synchronization

/// Waits, on a thread of its own, for other processes to write to a database's log.
///
/// The thread ends when the watch goes. It holds nothing of the store but what `body` holds.
final class FileWatch: Sendable {
  /// What `body` found when it looked.
  enum Finding { case changed, unchanged, end }

  /// `body` looks again after 1, 2, 4, … up to so many milliseconds.
  ///
  /// A commit becomes visible after its last write: at once, or when the disk has confirmed it, and nothing
  /// tells of that. What was found before may be of the commit before.
  static let recheckMaxMilliseconds: Int32 = 16_384
  /// How often `body` looks where the kernel tells nothing.
  static let pollMilliseconds: Int32 = 250

  private let stop: StopPipe
  /// Counts the end of the thread, for tests.
  let ended = Ended()

  final class Ended: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    fileprivate func note() { count.add(1, ordering: .relaxed) }
  }

  /// Calls `body` whenever the database at `path` may have changed; nil when there are too many open
  /// files.
  init?(
    _ path: String, recheckingUpTo recheckMax: Int32 = recheckMaxMilliseconds,
    _ body: @escaping @Sendable () -> Finding
  ) {
    guard let stop = StopPipe() else { return nil }
    self.stop = stop
    let place = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let loop = WatchLoop(
      stop: stop, folder: place.deletingLastPathComponent().path,
      names: [place.lastPathComponent + "-wal", place.lastPathComponent], recheckMax: recheckMax,
      body: body)
    let thread = Thread { [ended] in
      loop.run()
      ended.note()
    }
    thread.name = "contrail-watch"
    thread.stackSize = 512 * 1024
    thread.start()
  }

  deinit { stop.signal() }
}

/// Tells the thread to end.
///
/// Both sides hold it, so that neither meets a pipe that the other has closed, which would end the
/// program.
private final class StopPipe: Sendable {
  let reading: Int32
  private let writing: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let reading = ends.first, let writing = ends.last else { return nil }
    for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    self.reading = reading
    self.writing = writing
  }

  func signal() {
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }

  deinit {
    close(reading)
    close(writing)
  }
}

/// What the thread does.
private struct WatchLoop: Sendable {
  let stop: StopPipe
  let folder: String
  let names: Set<String>
  let recheckMax: Int32
  let body: @Sendable () -> FileWatch.Finding

  func run() {
    let events = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    defer { if events >= 0 { close(events) } }
    let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)
    let isTold = events >= 0 && inotify_add_watch(events, folder, mask) >= 0
    var wait: Int32 = isTold ? 1 : FileWatch.pollMilliseconds
    var began = ContinuousClock.now
    while true {
      var polled = [
        pollfd(fd: stop.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isTold ? events : -1, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&polled, 2, left(of: wait, since: began))
      if polled[0].revents != 0 { return }
      if ready > 0 {
        if isNews(events) { wait = 0 } else if left(of: wait, since: began) != 0 { continue }
      }
      switch body() {
      case .end: return
      case .changed: wait = isTold ? 1 : FileWatch.pollMilliseconds
      case .unchanged: wait = isTold ? next(wait) : FileWatch.pollMilliseconds
      }
      began = .now
    }
  }

  /// How much is left of a wait: what is none of the database's news does not put the next look off.
  private func left(of wait: Int32, since began: ContinuousClock.Instant) -> Int32 {
    guard wait > 0 else { return wait }
    let passed = began.duration(to: .now) / .milliseconds(1)
    return max(0, wait - Int32(clamping: Int(passed)))
  }

  /// How long to wait before looking again; for ever after the last time.
  private func next(_ wait: Int32) -> Int32 {
    wait >= recheckMax || wait < 0 ? -1 : max(1, wait * 2)
  }

  /// How much is taken at once of what the kernel has to tell.
  private static let readsMax = 16

  /// Takes what the kernel has to tell; whether it is about the database.
  private func isNews(_ events: Int32) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16 * 1024)
    var isNews = false
    // Who writes all the time is not listened to for ever.
    for _ in 0..<Self.readsMax {
      let count = read(events, &bytes, bytes.count)
      if count <= 0 { break }
      bytes.withUnsafeBytes { buffer in
        if namesDatabase(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { isNews = true }
      }
    }
    return isNews
  }

  /// Whether one of the events in `buffer` is about the database, or some were lost.
  ///
  /// An event is four words, the last one the length of the name that follows.
  private func namesDatabase(_ buffer: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 16 <= buffer.count {
      let mask = buffer.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
      let length = Int(buffer.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
      if mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
      let end = min(buffer.count, place + 16 + length)
      let name = String(decoding: buffer[place + 16..<end].prefix { $0 != 0 }, as: UTF8.self)
      if names.contains(name) { return true }
      place = end
    }
    return false
  }
}
