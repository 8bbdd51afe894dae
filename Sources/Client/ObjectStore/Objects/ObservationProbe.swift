public import Observation
internal import Synchronization

/// Tells whether what is being read right now is observed.
///
/// Nothing in Observation answers that, and a registrar for every object that is read would cost more
/// than the object. But whoever observes keeps the key paths that are read, in a set, and so asks for
/// their hashes: a key path whose own argument counts that tells.
final class ObservationProbe: Observable {
  private let token: Token
  private let path: KeyPath<ObservationProbe, Int>
  // NB: the last one. How large a registrar is, is known when a program starts, and so is where in an
  // object that is which stands behind one.
  private let registrar = ObservationRegistrar()

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

/// Those who observe the properties of one model.
///
/// Behind a reference: how large a registrar is, is known only when a program starts. An object with a field
/// of that type would look up where its fields are with each access.
public final class ModelObservers {
  /// Whom to tell.
  public let registrar = ObservationRegistrar()
}

extension ManagedObject {
  /// Whether what is being read is observed; then there are `observers`.
  ///
  /// Asked with every read: nothing is retained on the way.
  @inline(never)
  public func isReadObserved() -> Bool {
    if observers != nil { return true }
    guard let contextReference else {
      if ObservationProbe.shared.isObserved { observers = ModelObservers() }
      return observers != nil
    }
    return contextReference._withUnsafeGuaranteedRef { context in
      guard context.probeReference._withUnsafeGuaranteedRef({ $0.isObserved }) else { return false }
      // The observer has the probe now, and would hold it for as long as nothing that it read changes.
      context.renewProbe()
      observers = ModelObservers()
      context.observed.note(self)
      return true
    }
  }

  /// The registrar, made if somebody observes what is being read.
  public var observedRegistrar: ObservationRegistrar? {
    isReadObserved() ? observers?.registrar : nil
  }

  /// Tells those who observe the model, if anybody does.
  @inline(__always)
  func tell(_ slot: Int?, _ phase: ObservedPhase) {
    if observers != nil { tellModel(slot, phase) }
  }

  @inline(never)
  private func tellModel(_ slot: Int?, _ phase: ObservedPhase) {
    (model as? any PersistentModel)?.tellObservers(slot, phase)
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
