import Foundation
import ObjectStore
public import Observation

/// Counts the transactions that matter to someone, as they arrive: of this process and of others.
///
/// It belongs to the isolation that made it, and it can be observed.
public final class HistoryObserver: Observable {
  private let observer: ObjectStore.HistoryObserver
  /// Whose transactions are counted.
  public let modelContainer: ModelContainer
  /// The classes whose changes matter; none for all.
  public let observedModels: [any PersistentModel.Type]
  /// Whose transactions matter; none for all.
  public let authors: Set<String>

  /// Observes a container from the places that `historyTokens` name on, by the names of its configurations or
  /// the identifiers of its stores, or from now on where they name none; only transactions with changes to
  /// `observedModels`, or to any where there are none; only those of `authors`, or of all.
  ///
  /// Throws where a store's history after its token is not kept any more.
  public init(
    historyTokens: [String: any HistoryToken]? = nil,
    observedModels: [any PersistentModel.Type] = [], authors: Set<String> = [],
    modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
  ) throws {
    self.modelContainer = modelContainer
    self.observedModels = observedModels
    self.authors = authors
    let stores = modelContainer.core.stores
    let tokens = historyTokens.map { tokens in
      stores.stores.compactMap { store in
        tokens.values.lazy.compactMap { ($0 as? DefaultHistoryToken)?.place(in: store) }.first
      }
    }
    observer = try ObjectStore.HistoryObserver(
      stores, tokens: tokens, entities: Set(observedModels.map { $0._$plan.entityName }),
      authors: authors, isolation: isolation)
  }

  /// How many transactions that matter have arrived.
  public var eventCounter: Int { observer.eventCounter }

  /// The places up to which transactions are counted: what to begin with next time.
  ///
  /// Stores that somebody else wrote have none in it: what is counted of them is what passes through the container.
  public var historyToken: DefaultHistoryToken {
    let shadows = Set(modelContainer.core.bridges.map { $0.store.identifier })
    return DefaultHistoryToken(
      Dictionary(
        observer.tokens.filter { !shadows.contains($0.store) }
          .map { ($0.store.uuidString, $0.transaction) },
        uniquingKeysWith: { first, _ in first }))
  }

  /// Why history could not be read when it last should have been.
  public var error: (any Error)? { observer.error }
}

@available(*, unavailable, message: "an observer stays where it was made")
extension HistoryObserver: @unchecked Sendable {}
