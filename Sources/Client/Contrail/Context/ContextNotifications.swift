import DataModel
public import Foundation
import ObjectStore

extension ModelContext {
  /// Posted before a save that has something to write, by the context.
  public static let willSave = Notification.Name("ContrailModelContextWillSave")
  /// Posted after a save, by the context, with what it changed.
  public static let didSave = Notification.Name("ContrailModelContextDidSave")

  /// What a notification tells.
  public enum NotificationKey: String {
    /// The number of the transaction in the store's history.
    case queryGeneration
    /// Whether anything may have changed.
    case invalidatedAllIdentifiers
    /// The identifiers of the models that were inserted.
    case insertedIdentifiers
    /// The identifiers of the models that were updated.
    case updatedIdentifiers
    /// The identifiers of the models that were deleted.
    case deletedIdentifiers
    /// Where the store's history stands after the save: a `HistoryToken`, of `didSave` only.
    case historyTokens
  }

  /// Posts notifications of a part's saves, whoever asks for them.
  func tellSaves(of part: ObjectStore.ModelContext) {
    part.onWillSave { [weak self] _ in
      guard let self else { return }
      NotificationCenter.default.post(name: Self.willSave, object: self)
    }
    let foreignToken = bridge(of: part)?.takePart(in: part, core, settings.editingIdentifier)
    part.onDidSave { [weak self] change in
      guard let self else { return }
      NotificationCenter.default.post(
        name: Self.didSave, object: self, userInfo: Self.userInfo(change, foreignToken))
    }
  }

  private static func userInfo(
    _ change: ContextChange, _ foreignToken: (() -> (any HistoryToken)?)?
  ) -> [AnyHashable: Any] {
    let places = ofNothing.places
    var info = ofNothing.entries
    func set(_ place: Place, _ identities: [ObjectIdentity]) {
      if !identities.isEmpty { info.values[place] = PersistentIdentifier.list(identities) }
    }
    info.values[places.transaction] = change.transaction
    if !change.isComplete { info.values[places.isIncomplete] = true }
    set(places.inserted, change.inserted)
    set(places.updated, change.updated)
    set(places.deleted, change.deleted)
    if foreignToken == nil {
      info.values[places.token] = DefaultHistoryToken(change.historyToken)
    } else if let token = foreignToken?() {
      info.values[places.token] = token
    } else {
      info.remove(at: places.token)
    }
    return info
  }

  private typealias Place = Dictionary<AnyHashable, Any>.Index

  /// What a save tells that changed nothing, and where in it each value stands.
  ///
  /// Made once, since a program may save very often: a copy is written by place, for which no key is hashed.
  /// An index into a dictionary holds for its copies, too, for as long as no key is added or removed.
  ///
  /// Unchecked: all values are of `Sendable` types, and none changes.
  private struct NothingSaved: @unchecked Sendable {
    let entries: [AnyHashable: Any]
    let places: Places

    struct Places {
      let transaction, isIncomplete, inserted, updated, deleted, token: Place
    }

    init() {
      var entries: [AnyHashable: Any] = [:]
      for (key, value) in Self.values { entries[key.rawValue] = value }
      // All six keys are among the values below, so that the end stands for none of them.
      func place(_ key: NotificationKey) -> Place {
        entries.index(forKey: key.rawValue) ?? entries.endIndex
      }
      places = Places(
        transaction: place(.queryGeneration), isIncomplete: place(.invalidatedAllIdentifiers),
        inserted: place(.insertedIdentifiers), updated: place(.updatedIdentifiers),
        deleted: place(.deletedIdentifiers), token: place(.historyTokens))
      self.entries = entries
    }

    private static var values: [(NotificationKey, Any)] {
      let none: [PersistentIdentifier] = []
      return [
        (.queryGeneration, Int64(0)), (.invalidatedAllIdentifiers, false),
        (.insertedIdentifiers, none), (.updatedIdentifiers, none), (.deletedIdentifiers, none),
        (.historyTokens, Int64(0)),
      ]
    }
  }

  private static let ofNothing = NothingSaved()
}
