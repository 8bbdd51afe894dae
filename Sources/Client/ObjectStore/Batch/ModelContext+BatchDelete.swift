import DataModel
public import Foundation
public import PredicateSQL

/// A batch delete that the next save of a context does.
struct PendingDeletion {
  var query: StoredQuery
  var filter: QueryExpression?
}

extension ModelContext {
  /// Deletes all objects of `entity` that `filter` is true of when the context is saved next: those of
  /// the store and those that are new, by the values that this save writes.
  ///
  /// Until then nothing changes: a fetch still finds them, and `rollback()` forgets it. The delete rules
  /// are those of `Store.deleteBatch`; where they refuse, the whole save fails and nothing is written.
  ///
  /// ```swift
  /// try context.delete("Entry", where: .compare(.less, .property("hours"), .literal(.double(0))))
  /// try context.save()
  /// ```
  public func delete(
    _ entity: String, where filter: QueryExpression? = nil, includesSubentities: Bool = true
  ) throws {
    let query = try store.batchQuery(
      layout(entity), filter, includesSubentities: includesSubentities)
    pendingDeletions.append(PendingDeletion(query: query, filter: filter))
    watcher?.autosave?.noteChange()
  }

  /// Deletes all models of a type that `predicate` is true of when the context is saved next.
  ///
  /// SQL has to say all of the predicate; a predicate of which it cannot is an error.
  public func delete<Model: PersistentModel>(
    model type: Model.Type, where predicate: Predicate<Model>? = nil,
    includeSubclasses: Bool = true
  ) throws {
    let name = type.detachedLayout.name
    let translation = predicate.map { QueryTranslation($0, names: Model.queryNames) }
    if let problem = translation?.problems.first { throw StoreError(problem, name) }
    try delete(name, where: translation?.expression, includesSubentities: includeSubclasses)
  }

  /// New objects that are to be deleted at once are not inserted, nor validated.
  func dropDoomedInserts() throws {
    for deletion in pendingDeletions {
      for object in inserted where object.state == .inserted {
        guard deletion.query.covers(object.layout) else { continue }
        do throws(QueryProblem) {
          guard try deletion.filter?.isTrue(of: object) ?? true else { continue }
        } catch {
          throw StoreError(error, object.entity)
        }
        try delete(object)
      }
    }
  }

  /// Takes in what batches within this context's own save have done.
  func receiveOwn(_ changes: ChangeSet) {
    if !changes.isEmpty { takeIn([changes]) }
  }
}

extension WriteTransaction {
  /// What `body` updates and deletes.
  func changes(by body: () throws -> Void) rethrows -> ChangeSet {
    let (updated, deleted) = (log.changes.updates.count, log.changes.deletions.count)
    try body()
    var changes = ChangeSet(transaction: number, author: log.changes.author)
    for update in log.changes.updates.dropFirst(updated) {
      changes.updated(update.entity, update.key, update.properties)
    }
    for deletion in log.changes.deletions.dropFirst(deleted) {
      changes.deleted(deletion.entity, deletion.key)
    }
    return changes
  }
}
