/// How far a drain has come.
struct DrainState {
  /// When the connections that are left are cut off.
  var deadline: UInt64
  /// Called once, with whether all connections ended by themselves.
  var whenDone: (@Sendable (Bool) -> Void)?

  /// When the loop has to look, whatever else happens.
  var nextLook: UInt64? { whenDone == nil ? nil : deadline }
}

extension EventLoop {
  /// Whether the thread may end: all connections are closed and all tasks have run to their end.
  var isFinished: Bool { drainState?.whenDone == nil && drainState != nil && openTasks == 0 }

  /// Whether responses have to end their connections.
  var isDraining: Bool { drainState != nil }

  /// Stops accepting, and ends every connection as soon as its request in flight is answered.
  func drain(within milliseconds: UInt64, whenDone: @escaping @Sendable (Bool) -> Void) {
    if let state = drainState {
      join(state, deadline: now + milliseconds, whenDone)
      return
    }
    closeListeners()
    drainState = DrainState(deadline: now + milliseconds, whenDone: whenDone)
    for connection in connections.all { connection.drain() }
  }

  /// Waits for a drain that has begun, with the earlier deadline of both.
  private func join(
    _ state: DrainState, deadline: UInt64, _ whenDone: @escaping @Sendable (Bool) -> Void
  ) {
    guard let earlier = state.whenDone else {
      whenDone(true)
      return
    }
    drainState?.deadline = min(state.deadline, deadline)
    drainState?.whenDone = { isWhole in
      earlier(isWhole)
      whenDone(isWhole)
    }
  }

  /// Ends the drain when nothing is left, or its time is over.
  func advanceDrain() {
    guard let state = drainState, let whenDone = state.whenDone else { return }
    let isEmpty = connections.count == 0
    guard isEmpty || state.deadline <= now else { return }
    for connection in connections.all { connection.close() }
    drainState?.whenDone = nil
    whenDone(isEmpty)
  }
}
