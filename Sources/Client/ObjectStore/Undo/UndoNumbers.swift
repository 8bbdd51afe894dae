/// Numbers the groups of logs that are undone together: those of the stores behind one context.
///
/// Groups that are open at the same time have one number.
public final class UndoNumbers {
  private var logs: [WeakLog] = []
  private var last = 0
  private var given: Int?
  /// The name of the groups that begin next, which was given before there was any.
  private var nextName: String?

  private struct WeakLog {
    weak var log: UndoLog?
  }

  /// Makes numbers that no log has yet.
  public init() {}

  func add(_ log: UndoLog) {
    logs.removeAll { $0.log == nil }
    logs.append(WeakLog(log: log))
  }

  /// The number for a group that begins now.
  var next: Int {
    if let given { return given }
    if let open = logs.lazy.compactMap({ $0.log?.openNumber }).max() { return open }
    last += 1
    return last
  }

  /// Gives all groups that begin within `body` one number, which none has yet.
  public func together<Result>(_ body: () throws -> Result) rethrows -> Result {
    last += 1
    given = last
    defer { given = nil }
    return try body()
  }

  /// Names the groups that take changes now, or else those that did last; those that begin next where there
  /// are none.
  public func name(_ name: String) {
    let groups = logs.compactMap { $0.log?.current }
    let newest = groups.lazy.map(\.number).max()
    for group in groups where group.number == newest { group.name = name }
    nextName = groups.isEmpty ? name : nil
  }

  /// The name of the groups that begin now, which is that of no others.
  public func takeName() -> String? {
    defer { nextName = nil }
    return nextName
  }

  /// Another change was made: what was undone cannot be redone.
  func forgetRedo() { for entry in logs { entry.log?.forgetRedo() } }

  /// Forgets groups up to a number, which are not whole any more.
  func forget(upTo number: Int) { for entry in logs { entry.log?.forget(upTo: number) } }
}
