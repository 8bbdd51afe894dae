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
    var info = ofNothing.entries
    func set(_ key: AnyHashable, _ identities: [ObjectIdentity]) {
      if !identities.isEmpty { info[key] = PersistentIdentifier.list(identities) }
    }
    info[ofNothing.transaction] = change.transaction
    if let foreignToken {
      info[ofNothing.token] = foreignToken()
    } else {
      info[ofNothing.token] = DefaultHistoryToken(change.historyToken)
    }
    if !change.isComplete { info[ofNothing.isIncomplete] = true }
    set(ofNothing.inserted, change.inserted)
    set(ofNothing.updated, change.updated)
    set(ofNothing.deleted, change.deleted)
    return info
  }

  /// What a save tells that changed nothing: made once, since a program may save very often.
  ///
  /// Unchecked: all values are of `Sendable` types, and none changes.
  private struct NothingSaved: @unchecked Sendable {
    let transaction = AnyHashable(NotificationKey.queryGeneration.rawValue)
    let isIncomplete = AnyHashable(NotificationKey.invalidatedAllIdentifiers.rawValue)
    let inserted = AnyHashable(NotificationKey.insertedIdentifiers.rawValue)
    let updated = AnyHashable(NotificationKey.updatedIdentifiers.rawValue)
    let deleted = AnyHashable(NotificationKey.deletedIdentifiers.rawValue)
    let token = AnyHashable(NotificationKey.historyTokens.rawValue)
    let entries: [AnyHashable: Any]

    init() {
      let none: [PersistentIdentifier] = []
      entries = [
        transaction: Int64(0), isIncomplete: false, inserted: none, updated: none, deleted: none,
      ]
    }
  }

  private static let ofNothing = NothingSaved()
}
