import RecordWire
import Testing

@testable import SyncCore

@Suite struct SyncMachineTests {
  private func pushed(_ count: Int) -> StepFacts {
    StepFacts(hasMore: true, tally: SyncTally(pushed: count))
  }

  @Test func `a pass asks who is there, pulls, sends, pulls again and ends`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    run.answer(.hello)
    run.answer(.account)
    run.answer(.pull, StepFacts(hasMore: true, tally: SyncTally(pulled: 200)))
    run.answer(.pull, StepFacts(tally: SyncTally(pulled: 3)))
    run.answer(.push, StepFacts(needsSchema: true))
    run.answer(.schema)
    run.answer(.push, pushed(2))
    run.answer(.push)
    run.answer(.pull)
    run.answer(.settle)
    #expect(run.ends == [SyncMachine.PassEnd(.complete, SyncTally(pushed: 2, pulled: 203))])
  }

  @Test
  func `files are sent before the batch that needs them, and fetched when all else is exchanged`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    for step in [SyncStep.hello, .account] { run.answer(step) }
    run.answer(.pull, StepFacts(needsDownload: true))
    run.answer(.push, StepFacts(needsUpload: true))
    run.answer(.upload, StepFacts(hasMore: true))
    run.answer(.upload, StepFacts(tally: SyncTally(uploaded: 1)))
    run.answer(.push, pushed(1))
    run.answer(.push)
    run.answer(.pull, StepFacts(needsDownload: true))
    run.answer(.download, StepFacts(hasMore: true, tally: SyncTally(downloaded: 1)))
    run.answer(.download)
    run.answer(.settle)
    #expect(
      run.ends == [
        SyncMachine.PassEnd(.complete, SyncTally(pushed: 1, uploaded: 1, downloaded: 1))
      ])
  }

  @Test func `a file that was not answered is tried again, not the page before it`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    for step in [SyncStep.hello, .account] { run.answer(step) }
    run.answer(.pull, StepFacts(needsDownload: true))
    run.answer(.push, StepFacts(needsUpload: true))
    run.answer(.upload, .unanswered("lost"))
    run.sleep()
    run.answer(.upload)
    run.answer(.push)
    run.answer(.download, .unanswered("lost"))
    run.sleep()
    run.answer(.download)
    run.answer(.settle)
    #expect(run.ends.map(\.outcome) == [.complete])
  }

  @Test func `who only reads fetches files, and who only sends does not`() {
    for (direction, last) in [(SyncMachine.Direction.pull, SyncStep.download), (.push, .settle)] {
      var settings = SyncMachine.Settings()
      settings.direction = direction
      var run = MachineRun(settings)
      run.tell(.wish(.asked))
      for step in [SyncStep.hello, .account] { run.answer(step) }
      if direction == .pull {
        run.answer(.pull, StepFacts(needsDownload: true))
      } else {
        run.answer(.push)
      }
      #expect(run.steps.last == last)
    }
  }

  @Test func `a pass with nothing to send pulls once`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    for step in [SyncStep.hello, .account, .pull, .push, .settle] { run.answer(step) }
    run.tell(.wish(.asked))
    for step in [SyncStep.pull, .push, .settle] { run.answer(step) }
    #expect(run.ends.map(\.outcome) == [.complete, .complete])
  }

  @Test func `a pass in one direction leaves the other alone`() {
    var settings = SyncMachine.Settings()
    settings.direction = .pull
    var pull = MachineRun(settings)
    pull.tell(.wish(.asked))
    for step in [SyncStep.hello, .account, .pull] { pull.answer(step) }
    pull.answer(.settle, StepFacts(hasMore: true))
    #expect(pull.ends.map(\.outcome) == [.complete])
    settings.direction = .push
    var push = MachineRun(settings)
    push.tell(.wish(.asked))
    for step in [SyncStep.hello, .account] { push.answer(step) }
    push.answer(.push, .failed(.zoneGone))
    push.answer(.makeZone)
    push.answer(.push, pushed(1))
    push.answer(.push)
    push.answer(.settle)
    #expect(push.ends.map(\.outcome) == [.complete])
  }

  @Test func `a zone that was never there is made, once`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    run.answer(.hello)
    run.answer(.account)
    run.answer(.pull, .failed(.zoneGone))
    run.answer(.makeZone)
    run.answer(.pull, .failed(.zoneGone))
    #expect(run.ends.map(\.outcome) == [.trouble(.zoneDeleted)])
  }

  @Test func `a token that is too old makes everything be read again`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    run.answer(.hello)
    run.answer(.account)
    run.answer(.pull, .failed(.tokenExpired))
    run.answer(.refetch)
    run.answer(.pull)
    run.answer(.push)
    run.answer(.settle)
    #expect(run.ends.map(\.outcome) == [.complete])
  }

  @Test func `who is told so before the server is known asks what it can do, and then reads again`()
  {
    var run = MachineRun()
    run.tell(.wish(.asked))
    run.answer(.hello, .failed(.tokenExpired))
    run.answer(.refetch)
    run.answer(.hello)
    run.answer(.account)
    run.answer(.pull)
    run.answer(.push)
    run.answer(.settle)
    #expect(run.ends.map(\.outcome) == [.complete])
  }

  @Test func `a token that expires again in the same pass is read anew too, after a wait`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    run.answer(.hello)
    run.answer(.account)
    run.answer(.pull, .failed(.tokenExpired))
    run.answer(.refetch)
    run.answer(.pull, .failed(.tokenExpired))
    run.sleep()
    run.answer(.refetch)
    run.answer(.pull)
    run.answer(.push)
    run.answer(.settle)
    #expect(run.ends.map(\.outcome) == [.complete])
  }

  @Test func `conflicts are looked up before the next batch`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    for step in [SyncStep.hello, .account, .pull] { run.answer(step) }
    run.answer(.push, StepFacts(hasMore: true, needsLookUp: true))
    run.answer(.lookUp)
    run.answer(.push, pushed(1))
    run.answer(.push)
    run.answer(.pull)
    run.answer(.settle)
    #expect(run.ends.map(\.outcome) == [.complete])
  }

  @Test func `records that others write all the time do not keep a pass from ending`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    for step in [SyncStep.hello, .account, .pull] { run.answer(step) }
    for _ in 0..<run.machine.settings.lookUpsMax {
      run.answer(.push, StepFacts(hasMore: true, needsLookUp: true))
      run.answer(.lookUp)
    }
    #expect(run.ends.map(\.outcome) == [.unfinished])
  }

  @Test func `trouble stops everything until the program decides`() {
    var settings = SyncMachine.Settings()
    settings.isAutomatic = true
    var run = MachineRun(settings)
    run.tell(.wish(.asked))
    run.answer(.hello)
    run.answer(.account, StepFacts(trouble: .accountSwitched))
    #expect(run.ends.map(\.outcome) == [.trouble(.accountSwitched)])
    run.tell(.wish(.localChange))
    #expect(run.steps == [.hello, .account])
    run.tell(.resume)
    #expect(run.steps == [.hello, .account, .hello])
  }

  @Test(arguments: [
    StepResult.broken("the store is busy"),
    .failed(.refused(RequestFailure(.accessDenied))),
  ])
  func `what may pass by itself does not end passes that begin by themselves`(
    _ result: StepResult
  ) {
    var settings = SyncMachine.Settings()
    settings.isAutomatic = true
    var run = MachineRun(settings)
    run.tell(.wish(.schedule))
    run.sleep()
    run.answer(.hello)
    run.answer(.account, result)
    #expect(run.ends.count == 1)
    run.sleep()
    #expect(run.steps == [.hello, .account, .hello])
  }

  @Test func `who waits for a pass hears that there is no answer, and passes go on`() {
    var settings = SyncMachine.Settings()
    settings.isAutomatic = true
    var run = MachineRun(settings)
    run.tell(.wish(.asked))
    for _ in 0..<settings.attemptsMax {
      run.answer(.hello, .unanswered("no network"))
      if run.ends.isEmpty { run.sleep() }
    }
    #expect(run.ends.map(\.outcome) == [.unreachable("no network")])
    run.sleep()
    run.answer(.hello, .unanswered("no network"))
    #expect(run.ends.count == 1)
    #expect(run.machine.isWaiting)
  }

  @Test func `credentials that are refused end the pass, and say where to get some`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    run.answer(.hello)
    run.answer(.account, .failed(.signIn(redirectURL: "https://example.org/signin")))
    #expect(run.ends.map(\.outcome) == [.signIn(redirectURL: "https://example.org/signin")])
  }

  @Test func `a server without extensions and without users is one all the same`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    run.answer(.hello, .failed(.isUnknown))
    run.answer(.account)
    run.answer(.pull)
    run.answer(.push, StepFacts(needsSchema: true))
    run.answer(.schema, .failed(.isUnknown))
    run.answer(.push)
    run.answer(.settle)
    #expect(run.ends.map(\.outcome) == [.complete])
  }

  @Test func `local changes wait for each other, and a pass begins by itself`() {
    var settings = SyncMachine.Settings()
    settings.isAutomatic = true
    var run = MachineRun(settings)
    run.tell(.wish(.localChange))
    let first = run.wake
    run.now += 500
    run.tell(.wish(.localChange))
    #expect(run.wake == first)
    run.sleep()
    #expect(run.steps == [.hello])
    for step in [SyncStep.hello, .account, .pull, .push, .settle] { run.answer(step) }
    #expect(run.wake == run.now + (settings.intervalMilliseconds ?? 0))
  }

  @Test func `a change that comes during a pass is sent by the next one`() {
    var settings = SyncMachine.Settings()
    settings.isAutomatic = true
    var run = MachineRun(settings)
    run.tell(.wish(.asked))
    run.answer(.hello)
    run.tell(.wish(.localChange))
    for step in [SyncStep.account, .pull, .push, .settle] { run.answer(step) }
    #expect(run.wake == run.now + settings.debounceMilliseconds)
  }

  @Test func `whoever asks during a pass gets one that begins after it`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    run.answer(.hello)
    run.tell(.wish(.asked))
    for step in [SyncStep.account, .pull, .push, .settle] { run.answer(step) }
    #expect(run.ends.count == 1)
    for step in [SyncStep.pull, .push, .settle] { run.answer(step) }
    #expect(run.ends.map(\.outcome) == [.complete, .complete])
  }

  @Test func `an engine that is stopped takes no further step`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    run.tell(.stop)
    #expect(run.ends.map(\.outcome) == [.stopped])
    run.tell(.result(.done(StepFacts())))
    run.tell(.wish(.asked))
    #expect(run.steps == [.hello])
  }

  /// Whatever comes, the machine has one step open at most, ends, and waits a bounded time.
  @Test func `no order of inputs makes the machine hang or run two steps at once`() {
    for seed in UInt64(0)..<2_000 {
      var random = SeededRandom(seed: seed)
      var settings = SyncMachine.Settings()
      settings.isAutomatic = Bool.random(using: &random)
      var machine = SyncMachine(settings, seed: seed)
      var (open, now, steps) = (false, Int64(0), 0)
      for _ in 0..<200 {
        let input = Self.input(isOpen: open, using: &random)
        if case .result = input { open = false }
        for action in machine.handle(input, now: now) {
          switch action {
          case .carryOut:
            #expect(!open, "seed \(seed)")
            open = true
            steps += 1
          case .wake(let time?):
            #expect(time - now <= Backoff.serverLongestMilliseconds, "seed \(seed)")
          case .wake(nil), .finish: break
          }
        }
        #expect(open == (machine.isRunning && !machine.isWaiting), "seed \(seed)")
        now += Int64.random(in: 0...10_000, using: &random)
      }
      #expect(steps > 0)
    }
  }

  private static func input(
    isOpen: Bool, using random: inout SeededRandom
  ) -> SyncMachine.Input {
    if isOpen && Int.random(in: 0..<4, using: &random) > 0 {
      let results: [StepResult] = [
        .done(StepFacts()), .done(StepFacts(hasMore: true)),
        .done(StepFacts(hasMore: true, needsLookUp: true, tally: SyncTally(pushed: 1))),
        .done(StepFacts(needsSchema: true)), .failed(.retry(afterSeconds: 5)),
        .failed(.tokenExpired), .failed(.zoneGone), .failed(.split), .unanswered("lost"),
        .failed(.signIn(redirectURL: nil)), .failed(.isUnknown), .failed(.quota),
      ]
      return .result(results.randomElement(using: &random) ?? .done(StepFacts()))
    }
    let others: [SyncMachine.Input] = [
      .wish(.asked), .wish(.localChange), .wish(.remoteChange), .wish(.schedule), .timer, .resume,
    ]
    return others.randomElement(using: &random) ?? .timer
  }
}

@Suite struct ConsequenceTests {
  @Test func `no code, known or not, makes a change disappear`() {
    let codes = ErrorCode.rows.map(\.code) + [ErrorCode(rawValue: "OF_TOMORROW")]
    for code in codes {
      let consequence = ItemConsequence(RequestFailure(code), isDeletion: false)
      #expect(consequence != .isDone, "\(code.rawValue)")
    }
    #expect(
      ItemConsequence(RequestFailure(ErrorCode(rawValue: "OF_TOMORROW")), isDeletion: false)
        == .wait)
  }

  @Test func `a deletion of what is not there is done`() {
    #expect(ItemConsequence(RequestFailure(.notFound), isDeletion: true) == .isDone)
    #expect(ItemConsequence(RequestFailure(.notFound), isDeletion: false) == .lookUp)
  }

  @Test func `the words of production say what it lacks`() {
    #expect(
      SchemaLack(
        reason: "Cannot create or modify field 'remarks' in record 'Entry' in production schema")
        == SchemaLack(recordType: "Entry", field: "remarks"))
    #expect(
      SchemaLack(reason: "Cannot create new type Entry in production schema")
        == SchemaLack(recordType: "Entry"))
    #expect(SchemaLack(reason: "record too large") == nil)
    #expect(SchemaLack(reason: "Cannot create new type  in production schema") == nil)
  }

  @Test func `a batch grows back slowly after it was too much, and never beyond the limit`() {
    var size = BatchSize(limit: 200)
    let isHalved = size.halve()
    #expect(isHalved)
    #expect(size.current == 100)
    size.grow()
    #expect(size.current == 125)
    for _ in 0..<10 { size.grow() }
    #expect(size.current == 200)
    for _ in 0..<8 { _ = size.halve() }
    let isHalvedAgain = size.halve()
    #expect(size.current == 1)
    #expect(!isHalvedAgain)
  }
}
