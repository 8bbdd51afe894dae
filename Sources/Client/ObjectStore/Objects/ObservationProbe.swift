public import Observation
internal import Synchronization

/// Tells whether what is being read right now is observed.
///
/// Nothing in Observation answers that, and a registrar for every object that is read would cost more
/// than the object. But whoever observes keeps the key paths that are read, in a set, and so asks for
/// their hashes: a key path whose own argument counts that tells.
final class ObservationProbe: Observable {
  private let registrar = ObservationRegistrar()
  private let token: Token
  private let path: KeyPath<ObservationProbe, Int>

  /// Counts how often it is hashed.
  private final class Token: Hashable, Sendable {
    let count = Atomic<Int>(0)

    static func == (first: Token, second: Token) -> Bool { first === second }
    func hash(into hasher: inout Hasher) { count.add(1, ordering: .relaxed) }
  }

  init() {
    let token = Token()
    self.token = token
    path = \ObservationProbe.[token]
  }

  private subscript(token: Token) -> Int { 0 }

  /// Whether reads are observed now; now and then true although they are not.
  @inline(__always)
  var isObserved: Bool {
    let before = token.count.load(ordering: .relaxed)
    registrar.access(self, keyPath: path)
    return token.count.load(ordering: .relaxed) != before
  }

  /// For objects without a context, from anywhere: what it holds never changes.
  nonisolated(unsafe) static let shared = ObservationProbe()
}

extension ManagedObject {
  /// Whether what is being read is observed; then there is a registrar.
  ///
  /// Asked with every read: nothing is retained on the way.
  @inline(never)
  public func isReadObserved() -> Bool {
    if registrar != nil { return true }
    guard let contextReference else {
      if ObservationProbe.shared.isObserved { _ = makeRegistrar() }
      return registrar != nil
    }
    return contextReference._withUnsafeGuaranteedRef { context in
      guard context.probeReference._withUnsafeGuaranteedRef({ $0.isObserved }) else { return false }
      // The observer has the probe now, and would hold it for as long as nothing that it read changes.
      context.renewProbe()
      _ = makeRegistrar()
      return true
    }
  }

  /// The registrar, made if somebody observes what is being read.
  public var observedRegistrar: ObservationRegistrar? { isReadObserved() ? registrar : nil }

  private func makeRegistrar() -> ObservationRegistrar {
    let made = ObservationRegistrar()
    registrar = made
    return made
  }

  /// Tells those who observe the model, if anybody does.
  @inline(__always)
  func tell(_ slot: Int?, _ phase: ObservedPhase) {
    if registrar != nil { tellModel(slot, phase) }
  }

  @inline(never)
  private func tellModel(_ slot: Int?, _ phase: ObservedPhase) {
    (model as? any PersistentModel)?.tellObservers(slot, phase)
  }

  /// Takes `model` as the model of this object, where it has none.
  public func adopt(_ model: some PersistentModel) {
    if self.model == nil { self.model = model }
  }
}

extension ModelContext {
  /// Takes another probe.
  @inline(never)
  func renewProbe() {
    let old = probeReference
    probeReference = .passRetained(ObservationProbe())
    old.release()
  }
}
