// Values that could not be written while there was no context to tell.
extension ManagedObject {
  /// Tells the context that a value could not be written, or while there is none keeps that for the one
  /// that the object is inserted into; nil says that one could.
  public func noteRefusal(_ slot: Int, _ problem: StoreError?) {
    if let context {
      // Of what is gone nothing is to be saved.
      if let problem, state != .gone { context.note(problem) }
      return
    }
    guard state == .detached, keptModel == nil || keptModel is GivenValues else { return }
    if problem == nil && keptModel == nil { return }
    let given = keptModel as? GivenValues ?? GivenValues()
    given.refusals[slot] = problem
    keptModel = given
  }

  /// What could not be written while there was no context.
  public var refusals: [StoreError] {
    (keptModel as? GivenValues)?.refusals.sorted { $0.key < $1.key }.map(\.value) ?? []
  }
}
