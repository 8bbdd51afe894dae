import SyncCore
import Testing

/// Numbers that come from outside stay within what can be reckoned with.
@Suite struct BoundTests {
  @Test func `a request has fewer bytes after it was too much, and never less than a few`() {
    var size = BatchSize(limit: 1)
    var isHalved = true
    var bytes: [Int] = []
    while isHalved {
      isHalved = size.halve()
      bytes.append(size.currentBytes)
    }
    #expect(bytes == [19, 18, 17, 16, 15, 14, 14].map { 1 << $0 })
    for _ in 0..<20 { size.grow() }
    #expect(size == BatchSize(limit: 1))
  }

  @Test func `waits that no time can be reckoned from are as good as none, or for ever`() {
    var settings = SyncMachine.Settings()
    (settings.debounceMilliseconds, settings.intervalMilliseconds) = (-5, .max)
    settings.isAutomatic = true
    var machine = SyncMachine(settings, seed: 1)
    #expect(machine.settings.debounceMilliseconds == 0)
    for wish in [SyncMachine.Wish.localChange, .remoteChange] {
      _ = machine.handle(.wish(wish), now: 1_700_000_000_000)
    }
    _ = machine.handle(.timer, now: 1_700_000_000_000)
    var end: [SyncMachine.Action] = []
    for _ in 0..<20 where end.isEmpty {
      let actions = machine.handle(.result(.done(StepFacts())), now: 1_700_000_000_000)
      if case .finish? = actions.first { end = actions }
    }
    #expect(
      end == [
        .finish(SyncMachine.PassEnd(.complete, SyncTally())),
        .wake(at: 1_700_000_000_000 + (1 << 48)),
      ])
  }
}
