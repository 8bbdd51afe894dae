import HTTPServer
import Synchronization

/// What of a site changes while it runs.
final class SiteState: Sendable {
  let isDraining = Atomic<Bool>(false)
  let counters = Mutex(CounterSource())
}

/// Where the counts of connections come from.
///
/// A structure, since a lock that holds a function itself wraps it anew each time that it is opened; whoever
/// asked for measures often enough would make the stack too small for the call.
struct CounterSource {
  var read: (@Sendable () -> HTTPServerCounters)?
}
