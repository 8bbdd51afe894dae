import Testing

@testable import SyncCore

/// When a machine tries again what did not go.
@Suite struct MachineWaitTests {
  @Test func `without an answer the same step is tried again, each time later`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    run.answer(.hello)
    run.answer(.account)
    var waits: [Int64] = []
    for _ in 0..<4 {
      run.answer(.pull, .unanswered("refused"))
      waits.append((run.wake ?? 0) - run.now)
      run.sleep()
    }
    run.answer(.pull, .unanswered("refused"))
    #expect(run.ends.map(\.outcome) == [.unreachable("refused")])
    for (index, wait) in waits.enumerated() {
      let bound = Backoff.firstMilliseconds << Int64(index)
      #expect((bound / 2...bound).contains(wait))
    }
  }

  @Test func `a pass whose pushes are always lost ends, though what is read arrives`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    for step in [SyncStep.hello, .account, .pull] { run.answer(step) }
    for _ in 1..<SyncMachine.Settings().attemptsMax {
      run.answer(.push, .unanswered("lost"))
      run.sleep()
      run.answer(.pull)
    }
    run.answer(.push, .unanswered("lost"))
    #expect(run.ends.map(\.outcome) == [.unreachable("lost")])
  }

  @Test func `a server that says when to come back is not asked before`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    run.answer(.hello)
    run.answer(.account)
    run.answer(.pull, .failed(.retry(afterSeconds: 30)))
    #expect(run.wake == run.now + 30_000)
    run.sleep()
    run.answer(.pull)
    #expect(run.machine.isRunning)
  }

  @Test func `a server that wants to be left alone for long ends the pass of who waits for it`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    run.answer(.hello, .failed(.retry(afterSeconds: 3_600)))
    let busy = SyncMachine.Outcome.unreachable(
      "the server is busy, and wants to be asked again in 3600 s")
    #expect(run.ends.map(\.outcome) == [busy])
    // Nor is it asked when somebody asks at once again.
    run.tell(.wish(.asked))
    #expect(run.ends.map(\.outcome) == [busy, busy])
    #expect(run.steps == [.hello])
    run.now += 3_600_000
    run.tell(.wish(.asked))
    #expect(run.steps == [.hello, .hello])
  }

  @Test func `passes that begin by themselves wait as long as the server says`() {
    var settings = SyncMachine.Settings()
    settings.isAutomatic = true
    var run = MachineRun(settings)
    run.tell(.wish(.schedule))
    run.sleep()
    run.answer(.hello, .failed(.retry(afterSeconds: 3_600)))
    let back = run.now + 3_600_000
    #expect(run.wake == back)
    // Who asks meanwhile is told, and the server is left alone all the same.
    run.tell(.wish(.asked))
    #expect(run.ends.count == 1)
    run.tell(.wish(.localChange))
    run.sleep()
    while run.now < back {
      #expect(run.steps == [.hello])
      run.sleep()
    }
    #expect(run.steps == [.hello, .hello])
    #expect(run.now == back)
  }

  @Test func `who asks while the server wants a moment waits for it`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    run.answer(.hello, .failed(.retry(afterSeconds: 30)))
    let back = run.now + 30_000
    run.now += 1_000
    run.tell(.wish(.asked))
    #expect((run.steps, run.wake) == ([.hello], back))
    run.sleep()
    #expect(run.steps == [.hello, .hello])
  }

  @Test func `a clock that is put back does not make a server be left alone for ever`() {
    var run = MachineRun()
    run.now = 10_000_000_000
    run.tell(.wish(.asked))
    run.answer(.hello, .failed(.retry(afterSeconds: 3_600)))
    run.now = 1_000
    run.tell(.wish(.asked))
    #expect(run.steps == [.hello, .hello])
  }

  @Test func `a success makes the next wait short again`() {
    var run = MachineRun()
    run.tell(.wish(.asked))
    run.answer(.hello)
    run.answer(.account)
    for _ in 0..<3 {
      run.answer(.pull, .unanswered("lost"))
      run.sleep()
      run.answer(.pull, StepFacts(hasMore: true))
    }
    run.answer(.pull, .unanswered("lost"))
    #expect((run.wake ?? .max) - run.now <= Backoff.firstMilliseconds)
  }
}
