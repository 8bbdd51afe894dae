import RecordWire
import SyncClient
import SyncCore

/// Decides what becomes of each request on its way.
struct Network {
  /// How long a device waits for an answer, in milliseconds.
  static let timeout: Int64 = 60_000
  /// How long it takes to find out that there is no connection, in milliseconds.
  static let refusal: Int64 = 500

  var rates: FaultRates
  var random: SeededRandom
  /// Codes that are not drawn.
  private let untrue: Set<ErrorCode>

  init(_ options: WorldOptions) {
    rates = options.faults
    random = RandomForks.source(options.seed, "network")
    // Where devices do something about a zone that is gone, that it is would be a lie.
    untrue = options.hasLosses ? [.zoneNotFound] : []
  }

  /// What becomes of a request: when it arrives, each time that it does, and when nothing will come back.
  struct Route {
    var arrivals: [(at: Int64, letter: Letter)] = []
  }

  /// Nothing goes wrong any more.
  mutating func calm() { rates = FaultRates() }

  mutating func route(_ letter: Letter, at now: Int64) -> Route {
    var route = Route()
    let there = now + latency()
    if random.chance(rates.late) {
      // It arrives when the device has long given up.
      var stray = letter
      (stray.isStray, stray.fate) = (true, .unanswered)
      route.arrivals.append((now + Self.timeout + random.milliseconds(1...600_000), stray))
      return route
    }
    if random.chance(rates.lostRequest) { return route }
    var letter = letter
    letter.fate = fate()
    if letter.call.path == "records/modify", random.chance(rates.itemRefusal) {
      letter.fate = .forged(.item(&random, but: untrue), after: latency())
    }
    if letter.call.path == "records/modify", random.chance(rates.finalRefusal) {
      letter.fate = .forged(.final(&random), after: latency())
    }
    route.arrivals.append((there, letter))
    // A server that refuses a request does not carry it out all the same.
    if case .forged = letter.fate { return route }
    if random.chance(rates.duplicate) {
      var stray = letter
      (stray.isStray, stray.fate) = (true, .unanswered)
      let delay =
        random.chance(300) ? random.milliseconds(1...900_000) : random.milliseconds(1...900)
      route.arrivals.append((there + delay, stray))
    }
    return route
  }

  private mutating func fate() -> LetterFate {
    if random.chance(rates.lostReply) { return .unanswered }
    if random.chance(rates.refusal) {
      let forgery = Forgery.whole(&random, but: untrue)
      // A gateway that fails may have passed the request on.
      if case .page(let status) = forgery, status >= 500, random.chance(500) {
        return .hidden(behind: forgery, after: latency())
      }
      return .forged(forgery, after: latency())
    }
    if random.chance(rates.truncation) {
      return .truncated(at: random.int(0...999), after: latency())
    }
    return .answered(after: latency())
  }

  /// Mostly short, so that what overtakes what is different each time; sometimes longer than anybody waits.
  private mutating func latency() -> Int64 {
    if random.chance(rates.slow) { return random.milliseconds(1_000...90_000) }
    return random.milliseconds(5...400)
  }
}
