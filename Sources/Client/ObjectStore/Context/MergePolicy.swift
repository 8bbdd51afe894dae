/// What a save does with an object that was changed in the store since it was read.
public enum MergePolicy: Int, Sendable, Hashable, CaseIterable {
  /// Nothing is saved, and the error names every conflict.
  case error
  /// Property by property: what the store has changed stands, other changes of the object are saved.
  case mergeByPropertyStoreTrump
  /// Property by property: the object's changes are saved, everything else is as the store has it.
  case mergeByPropertyObjectTrump
  /// The object is saved whole, over what the store has.
  case overwrite
  /// The object's changes are dropped.
  case rollback
}
