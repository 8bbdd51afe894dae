import Glibc
import Synchronization

/// Makes one step of replacing a file fail, or all from one on: for tests of what then happens.
package final class FileFaultPlan: Sendable {
  /// A step that can be made to fail.
  package enum Step: Hashable, Sendable, CaseIterable {
    /// Making the file that is to take the old one's place.
    case create
    /// Writing a part of it; half of the part is written all the same.
    case write
    /// Waiting until the disk has it.
    case synchronize
    /// Giving it the old one's name.
    case rename
    /// Waiting until the disk has its name.
    case synchronizeFolder
  }

  /// Which step fails, counted from 1; 0 for none.
  package let number: Int
  /// Whether all steps fail from then on.
  package let isLasting: Bool
  /// What the step fails with.
  package let reason: Int32
  private let counts = Mutex<(steps: [Step], failures: Int)>(([], 0))

  /// Plans to fail the step with this number.
  package init(failing number: Int, isLasting: Bool = false, reason: Int32 = EIO) {
    self.number = number
    self.isLasting = isLasting
    self.reason = reason
  }

  /// The steps that were taken or failed so far.
  package var steps: [Step] { counts.withLock { $0.steps } }
  /// How many steps were made to fail.
  package var failureCount: Int { counts.withLock { $0.failures } }

  /// Counts a step, and says what it fails with; nil for a step that is let through.
  func reason(for step: Step) -> Int32? {
    counts.withLock { counts in
      counts.steps.append(step)
      let count = counts.steps.count
      guard number > 0, count == number || (isLasting && count > number) else { return nil }
      counts.failures += 1
      return reason
    }
  }
}
