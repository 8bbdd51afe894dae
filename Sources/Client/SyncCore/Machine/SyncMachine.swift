/// Decides what a sync engine does next.
///
/// A value without clock, disk or network: what happened comes in with the time, and what is to be done
/// goes out. Records do not pass through it.
public struct SyncMachine: Hashable, Sendable {
  /// Why a pass is wanted.
  public enum Wish: String, Hashable, Sendable, CaseIterable {
    /// Somebody waits for its end.
    case asked
    /// Something was committed here.
    case localChange
    /// The server has told of a change.
    case remoteChange
    /// It is time again.
    case schedule
  }

  /// What happened.
  public enum Input: Hashable, Sendable {
    /// A pass is wanted.
    case wish(Wish)
    /// What came of the step that was to be carried out.
    case result(StepResult)
    /// The time is up that was asked for.
    case timer
    /// The program has decided about trouble, or has new credentials: go on.
    case resume
    /// No more steps.
    case stop
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// Carry out a step, and tell what came of it.
    case carryOut(SyncStep)
    /// Come back at that time; nil takes back what was asked for.
    case wake(at: Int64?)
    /// The pass is over.
    case finish(PassEnd)
  }

  /// How a pass ended.
  public struct PassEnd: Hashable, Sendable {
    /// Why it ended.
    public var outcome: Outcome
    /// What it did.
    public var tally: SyncTally

    /// Describes an end.
    public init(_ outcome: Outcome, _ tally: SyncTally) {
      self.outcome = outcome
      self.tally = tally
    }
  }

  /// Why a pass ended.
  public enum Outcome: Hashable, Sendable {
    /// Everything that could be exchanged was.
    case complete
    /// Others write so much that there was no end; what is left is for the next pass.
    case unfinished
    /// There was no answer, or none that helps, for too long.
    case unreachable(String)
    /// Credentials are needed.
    case signIn(redirectURL: String?)
    /// A policy has to decide.
    case trouble(Trouble)
    /// The server refuses what we ask.
    case refused(String)
    /// Something failed here.
    case broken(String)
    /// It was stopped.
    case stopped
  }

  /// What can be chosen.
  public struct Settings: Hashable, Sendable {
    /// How long a local change waits for others, in milliseconds.
    public var debounceMilliseconds: Int64 = 1_000
    /// How long after a pass the next one begins by itself, in milliseconds; nil for never.
    public var intervalMilliseconds: Int64? = 300_000
    /// How often a pass that somebody waits for tries again in vain before it gives up.
    public var attemptsMax = 5
    /// The longest that a server may make somebody wait who waits for a pass, in milliseconds: where it asks for
    /// more, the pass ends and says so.
    public var waitMax: Int64 = 60_000
    /// How often a pass goes back from its end to sending.
    public var roundsMax = 8
    /// How often a pass looks up what the server has in another state: others may write all the time.
    public var lookUpsMax = 50
    /// Whether passes begin by themselves; an engine that is started sees to that.
    public var isAutomatic = false
    /// What a pass exchanges.
    public var direction = Direction.both
    /// What is done about trouble without asking; what is not named asks.
    public var policies: [Trouble: TroublePolicy] = [:]

    /// The usual choices.
    public init() {}

    /// The same with waits that a time can be reckoned from.
    fileprivate var bounded: Settings {
      var bounded = self
      let longest = Int64(1) << 48
      bounded.debounceMilliseconds = min(max(0, debounceMilliseconds), longest)
      bounded.intervalMilliseconds = intervalMilliseconds.map { min(max(0, $0), longest) }
      return bounded
    }
  }

  /// What a pass exchanges.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// It reads and sends.
    case both
    /// It sends only; what the server has in another state is read all the same.
    case push
    /// It reads only.
    case pull
  }

  enum Phase: Hashable, Sendable {
    case idle
    case running(SyncStep)
    case waiting(for: SyncStep)
    /// Until the program resumes.
    case halted
    case stopped
  }

  /// What can be chosen.
  public private(set) var settings: Settings
  private(set) var phase = Phase.idle
  private var backoff = Backoff()
  /// The step that failed last: another one that succeeds says nothing of it.
  private var failing: SyncStep?
  /// Before this the server does not want to be asked.
  private var notBefore: Int64 = 0
  private var random: SeededRandom
  private var tally = SyncTally()
  private var rounds = 0
  private var lookUps = 0
  private var hasPushed = false
  private var knowsServer = false
  private var hasRefetched = false
  private var hasMadeZone = false
  /// Whether somebody waits for the end of the pass.
  private var isAwaited = false
  /// Whether files wait to be fetched before the pass ends.
  private var hasFiles = false
  private var hasAskedWho = false
  /// Trouble that was dealt with in this pass.
  private var resolved: Set<Trouble> = []
  private var next = Wishes()

  private struct Wishes: Hashable, Sendable {
    var asked = false
    var wakeAt: Int64?
  }

  /// A machine at rest; `seed` decides its random waits.
  public init(_ settings: Settings = Settings(), seed: UInt64) {
    self.settings = settings.bounded
    random = SeededRandom(seed: seed)
  }

  /// From now on passes begin by themselves.
  public mutating func automate() { settings.isAutomatic = true }

  /// Whether a pass is under way.
  public var isRunning: Bool {
    switch phase {
    case .running, .waiting: true
    case .idle, .halted, .stopped: false
    }
  }

  /// Whether a step is put off until later.
  public var isWaiting: Bool {
    if case .waiting = phase { true } else { false }
  }

  /// Takes in what happened at `now`, in milliseconds; returns what is to be done.
  public mutating func handle(_ input: Input, now: Int64) -> [Action] {
    switch (phase, input) {
    case (.stopped, _): return []
    case (_, .stop): return stop()
    case (.running(let step), .result(let result)): return take(result, of: step, now)
    case (_, .result): return []
    case (.idle, .wish(let wish)):
      return wish == .asked ? begin(isAwaited: true, now) : schedule(wish, now)
    case (.idle, .timer): return begin(now)
    case (.waiting(let step), .timer): return run(step)
    case (.waiting(let step), .resume): return start(step, now)
    case (.waiting(let step), .wish(.asked)):
      // Who asks does not want to wait for a backoff that was meant for nobody.
      isAwaited = true
      return start(step, now)
    case (.halted, .resume): return begin(now)
    case (.halted, .wish(.asked)): return begin(isAwaited: true, now)
    case (.halted, _): return []
    case (.running, .wish(let wish)), (.waiting, .wish(let wish)):
      if wish == .asked { next.asked = true } else { _ = schedule(wish, now) }
      return []
    case (.idle, .resume), (.running, .timer), (.running, .resume): return []
    }
  }
}

extension SyncMachine {
  private mutating func schedule(_ wish: Wish, _ now: Int64) -> [Action] {
    guard settings.isAutomatic else { return [] }
    let delay: Int64 =
      switch wish {
      case .localChange: settings.debounceMilliseconds
      case .remoteChange: Int64.random(in: 0...settings.debounceMilliseconds / 4, using: &random)
      case .asked, .schedule: 0
      }
    let time = now + delay
    if let earlier = next.wakeAt, earlier <= time { return [] }
    next.wakeAt = time
    return phase == .idle ? [.wake(at: time)] : []
  }

  private mutating func begin(isAwaited: Bool = false, _ now: Int64) -> [Action] {
    tally = SyncTally()
    self.isAwaited = isAwaited
    (rounds, lookUps) = (0, 0)
    (hasPushed, hasRefetched, hasMadeZone, hasFiles) = (false, false, false, false)
    (resolved, hasAskedWho) = ([], false)
    next = Wishes()
    return start(knowsServer ? firstExchange : .hello, now)
  }

  private var firstExchange: SyncStep { settings.direction == .push ? .push : .pull }

  /// What comes before the end: files are fetched when all else is exchanged, so that a large one keeps
  /// nothing waiting.
  private var lastExchange: SyncStep { hasFiles ? .download : .settle }

  /// Runs a step as soon as the server wants to be asked; who waits hears at once where that takes too long.
  private mutating func start(_ step: SyncStep, _ now: Int64) -> [Action] {
    let wait = notBefore - now
    // One that is longer than any that was asked for is a clock that was put back.
    guard 1...Backoff.serverLongestMilliseconds ~= wait else { return run(step) }
    if wait > settings.waitMax && (isAwaited || !settings.isAutomatic) {
      return finish(.unreachable(Self.busy(for: wait / 1_000)), now, wait: wait)
    }
    phase = .waiting(for: step)
    return [.wake(at: notBefore)]
  }

  /// What is said of a server that wants to be left alone at `now`; nil for one that does not.
  package func busyServer(now: Int64) -> String? {
    let wait = notBefore - now
    return 1...Backoff.serverLongestMilliseconds ~= wait ? Self.busy(for: wait / 1_000) : nil
  }

  /// What is said of a server that wants to be left alone.
  package static func busy(for seconds: Int64?) -> String {
    guard let seconds, seconds > 0 else { return "the server is busy" }
    return "the server is busy, and wants to be asked again in \(seconds) s"
  }

  private mutating func run(_ step: SyncStep) -> [Action] {
    phase = .running(step)
    return [.carryOut(step)]
  }

  private mutating func stop() -> [Action] {
    let wasRunning = isRunning
    phase = .stopped
    return (wasRunning ? [.finish(PassEnd(.stopped, tally))] : []) + [.wake(at: nil)]
  }

  /// Ends a pass; a next one begins by itself after `wait` at the latest, where passes do.
  private mutating func finish(_ outcome: Outcome, _ now: Int64, wait: Int64? = nil) -> [Action] {
    let end = Action.finish(PassEnd(outcome, tally))
    var wait = wait
    switch outcome {
    case .signIn, .trouble:
      phase = .halted
      knowsServer = false
      return [end, .wake(at: nil)]
    case .refused, .broken:
      // Somebody's proxy, or another process that holds the store: it may pass by itself.
      phase = .idle
      knowsServer = false
      wait = backoff.fail(retryAfterSeconds: nil, using: &random)
    case .complete, .unfinished, .unreachable, .stopped:
      phase = .idle
    }
    if next.asked { return [end] + begin(isAwaited: true, now) }
    guard settings.isAutomatic else { return [end] }
    var times = [wait.map { now + $0 }].compactMap { $0 }
    if let time = next.wakeAt { times.append(time) }
    if outcome == .unfinished { times.append(now + settings.debounceMilliseconds) }
    if let interval = settings.intervalMilliseconds { times.append(now + interval) }
    next.wakeAt = times.min()
    return [end, .wake(at: next.wakeAt)]
  }
}

extension SyncMachine {
  private mutating func take(
    _ result: StepResult, of step: SyncStep, _ now: Int64
  ) -> [Action] {
    switch result {
    case .done(let facts):
      if failing == nil || failing == step { noteSuccess() }
      tally += facts.tally
      if step == .account { hasAskedWho = true }
      if let trouble = facts.trouble { return meet(trouble, now) }
      return proceed(after: step, facts, now)
    case .unanswered(let why):
      return retry(step, afterSeconds: nil, why, now)
    case .failed(let consequence):
      return take(consequence, of: step, now)
    case .broken(let why):
      return finish(.broken(why), now)
    }
  }

  private mutating func take(
    _ consequence: RequestConsequence, of step: SyncStep, _ now: Int64
  ) -> [Action] {
    switch consequence {
    case .retry(let seconds):
      return retry(step, afterSeconds: seconds, Self.busy(for: seconds), now)
    case .split:
      return run(step)
    case .zoneGone:
      // Once: a zone that is gone again is somebody's doing.
      if hasMadeZone { return finish(.trouble(.zoneDeleted), now) }
      hasMadeZone = true
      return run(.makeZone)
    case .tokenExpired:
      if hasRefetched {
        return retry(step, by: .refetch, afterSeconds: nil, "tokens expire at once", now)
      }
      hasRefetched = true
      return run(.refetch)
    case .signIn(let url):
      return finish(.signIn(redirectURL: url), now)
    case .quota:
      return finish(.trouble(.quotaExceeded), now)
    case .isUnknown where step == .hello || step == .schema:
      return proceed(after: step, StepFacts(), now)
    case .isUnknown:
      return finish(.refused("the server does not know \(step.rawValue)"), now)
    case .refused(let failure):
      if step == .hello || step == .schema { return proceed(after: step, StepFacts(), now) }
      return finish(.refused("\(failure)"), now)
    }
  }

  /// Does about trouble what the program has chosen, once in a pass; else somebody is asked.
  private mutating func meet(_ trouble: Trouble, _ now: Int64) -> [Action] {
    // To another account all zones are other ones.
    if !hasAskedWho && trouble != .quotaExceeded { return run(.hello) }
    guard settings.policies[trouble, default: .ask] != .ask, resolved.insert(trouble).inserted
    else { return finish(.trouble(trouble), now) }
    (hasPushed, hasRefetched, hasMadeZone) = (false, false, false)
    return run(.resolve)
  }

  private mutating func noteSuccess() {
    failing = nil
    notBefore = 0
    backoff.succeed()
  }

  /// Tries a step that failed again later, beginning with `first` where that has to come before it.
  private mutating func retry(
    _ step: SyncStep, by first: SyncStep? = nil, afterSeconds: Int64?, _ why: String, _ now: Int64
  ) -> [Action] {
    failing = step
    let wait = backoff.fail(retryAfterSeconds: afterSeconds, using: &random)
    let asked = Backoff.milliseconds(askedFor: afterSeconds)
    notBefore = now + asked
    let isVain = backoff.attempts >= settings.attemptsMax || asked > settings.waitMax
    if isVain && (isAwaited || !settings.isAutomatic) {
      // The next pass is somebody's wish, and no attempt of this one.
      if !settings.isAutomatic {
        failing = nil
        backoff.succeed()
      }
      return finish(.unreachable(why), now, wait: wait)
    }
    // A push may have arrived, and what it made may be deleted by now: it is read first what is there.
    phase = .waiting(for: first ?? (step == .push ? .pull : step))
    return [.wake(at: now + wait)]
  }

  /// What follows a step that is done.
  private mutating func proceed(
    after step: SyncStep, _ facts: StepFacts, _ now: Int64
  ) -> [Action] {
    switch step {
    case .hello: return run(.account)
    case .account:
      knowsServer = true
      return run(firstExchange)
    case .makeZone: return run(firstExchange)
    // What the server can tell of what is gone has to be known before all is read.
    case .refetch: return run(knowsServer ? .pull : .hello)
    case .resolve: return run(.hello)
    case .pull:
      if facts.hasMore { return run(.pull) }
      // The last pull brings the echo of what was sent, and what others sent meanwhile.
      hasFiles = facts.needsDownload
      return run(hasPushed || settings.direction == .pull ? lastExchange : .push)
    case .schema: return run(.push)
    case .lookUp:
      if facts.needsLookUp { return run(.lookUp) }
      lookUps += 1
      guard lookUps < settings.lookUpsMax else { return finish(.unfinished, now) }
      if !facts.needsPull { return run(.push) }
      hasPushed = false
      return run(.pull)
    case .upload: return run(facts.hasMore ? .upload : .push)
    case .download: return run(facts.hasMore ? .download : .settle)
    case .push:
      if facts.needsSchema { return run(.schema) }
      if facts.needsUpload { return run(.upload) }
      if facts.tally.pushed > 0 || facts.needsLookUp { hasPushed = true }
      if facts.needsLookUp { return run(.lookUp) }
      if facts.hasMore { return run(.push) }
      return run(hasPushed && settings.direction == .both ? .pull : lastExchange)
    case .settle:
      guard facts.hasMore, settings.direction != .pull else { return finish(.complete, now) }
      rounds += 1
      guard rounds < settings.roundsMax else { return finish(.unfinished, now) }
      hasPushed = false
      return run(.push)
    }
  }
}
