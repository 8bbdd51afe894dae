import Testing

@testable import SyncCore

/// A machine with a script: it is told what came of each step, and says which steps it took.
struct MachineRun {
  var machine: SyncMachine
  var now: Int64 = 1_000
  var steps: [SyncStep] = []
  var ends: [SyncMachine.PassEnd] = []
  var wake: Int64?
  private var open: SyncStep?

  init(_ settings: SyncMachine.Settings = SyncMachine.Settings()) {
    machine = SyncMachine(settings, seed: 1)
  }

  mutating func tell(_ input: SyncMachine.Input) {
    for action in machine.handle(input, now: now) {
      switch action {
      case .carryOut(let step):
        steps.append(step)
        open = step
      case .wake(let time): wake = time
      case .finish(let end): ends.append(end)
      }
    }
  }

  /// Answers the step that is open, which has to be `step`.
  mutating func answer(_ step: SyncStep, _ result: StepResult = .done(StepFacts())) {
    #expect(open == step)
    open = nil
    tell(.result(result))
  }

  mutating func answer(_ step: SyncStep, _ facts: StepFacts) { answer(step, .done(facts)) }

  mutating func sleep() {
    guard let wake else { return }
    now = max(now, wake)
    self.wake = nil
    tell(.timer)
  }
}
