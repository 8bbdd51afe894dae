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
    let news = SaveNews(foreignToken)
    part.onDidSave { [weak self] change in
      guard let self else { return }
      NotificationCenter.default.post(
        name: Self.didSave, object: self, userInfo: news.filled(from: change))
      news.forget()
    }
  }
}

/// What the notifications of one part's saves tell.
///
/// A program may save very often, so that one dictionary serves all of them: it is written by place, for
/// which no key is hashed, and copied only where somebody has kept the one before. An index into a
/// dictionary holds for its copies, too, for as long as no key is added or removed.
private final class SaveNews {
  private typealias Place = Dictionary<AnyHashable, Any>.Index

  private var entries = blank.entries
  private var places: Places { Self.blank.places }
  /// Where another's store stands; nil for one of ours.
  private let foreignToken: (() -> (any HistoryToken)?)?

  private struct Places {
    let transaction, isIncomplete, inserted, updated, deleted, token: Place
  }

  private static let none: [PersistentIdentifier] = []

  /// What a save tells that changed nothing, and where in it each value stands.
  ///
  /// Unchecked: all values are of `Sendable` types, and none changes.
  private struct Blank: @unchecked Sendable {
    let entries: [AnyHashable: Any]
    let places: Places

    init(_ values: [(ModelContext.NotificationKey, Any)]) {
      var entries: [AnyHashable: Any] = [:]
      for (key, value) in values { entries[key.rawValue] = value }
      // All six keys are among the values, so that the end stands for none of them.
      func place(_ key: ModelContext.NotificationKey) -> Place {
        entries.index(forKey: key.rawValue) ?? entries.endIndex
      }
      places = Places(
        transaction: place(.queryGeneration), isIncomplete: place(.invalidatedAllIdentifiers),
        inserted: place(.insertedIdentifiers), updated: place(.updatedIdentifiers),
        deleted: place(.deletedIdentifiers), token: place(.historyTokens))
      self.entries = entries
    }
  }

  private static let blank = Blank([
    (.queryGeneration, Int64(0)), (.invalidatedAllIdentifiers, false),
    (.insertedIdentifiers, none), (.updatedIdentifiers, none), (.deletedIdentifiers, none),
    (.historyTokens, Int64(0)),
  ])

  init(_ foreignToken: (() -> (any HistoryToken)?)?) { self.foreignToken = foreignToken }

  /// What is to be told of a save.
  func filled(from change: ContextChange) -> [AnyHashable: Any] {
    entries.values[places.transaction] = change.transaction
    entries.values[places.isIncomplete] = !change.isComplete
    list(change.inserted, at: places.inserted)
    list(change.updated, at: places.updated)
    list(change.deleted, at: places.deleted)
    guard let foreignToken else {
      entries.values[places.token] = DefaultHistoryToken(change.historyToken)
      return entries
    }
    var told = entries
    if let token = foreignToken() {
      told.values[places.token] = token
    } else {
      told.remove(at: places.token)
    }
    return told
  }

  /// Lets go of the identifiers, which may be many.
  func forget() {
    entries.values[places.inserted] = Self.none
    entries.values[places.updated] = Self.none
    entries.values[places.deleted] = Self.none
  }

  private func list(_ identities: [ObjectIdentity], at place: Place) {
    entries.values[place] = PersistentIdentifier.list(.each(identities))
  }
}
