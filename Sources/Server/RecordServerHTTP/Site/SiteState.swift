import HTTPServer
import Synchronization

/// What of a site changes while it runs.
final class SiteState: Sendable {
  let isDraining = Atomic<Bool>(false)
  let counters = Mutex<(@Sendable () -> HTTPServerCounters)?>(nil)
}
