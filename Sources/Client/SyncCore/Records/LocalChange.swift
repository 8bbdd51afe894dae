/// What was done to an object here and is not on the server as far as we know.
public struct LocalChange: Hashable, Sendable {
  /// What was done, all edits since the last confirmation taken together.
  public enum Kind: Int64, Hashable, Sendable, CaseIterable {
    /// The server never had the record.
    case create = 1
    /// The server has the record.
    case update = 2
    /// The record is to go.
    case delete = 3
  }

  /// What was done.
  public var kind: Kind
  /// The fields that were edited; none for a deletion.
  public var edits: [LocalEdit]
  /// Whether it was sent and nobody knows whether it arrived.
  public var mayHaveArrived: Bool
  /// Whether it was made over a deletion of ours: that the record was deleted is no news then.
  public var isAnew = false

  /// Whether nothing was edited: the record is sent again as it was.
  public var isEmpty: Bool { kind == .update && edits.isEmpty }

  /// Describes a change.
  public init(_ kind: Kind, edits: [LocalEdit] = [], mayHaveArrived: Bool = false) {
    self.kind = kind
    self.edits = edits
    self.mayHaveArrived = mayHaveArrived
  }
}

/// What the server tells of a record.
public enum ServerNews: Hashable, Sendable {
  /// It is there, in this state.
  case state(RecordState)
  /// It was deleted.
  case deleted
}

/// What is to be done with a record when the server has told of it.
public struct Reception: Hashable, Sendable {
  /// What becomes of the object.
  public enum ObjectStep: Hashable, Sendable {
    /// It stays as it is.
    case keep
    /// It is made.
    case insert
    /// It takes over some fields.
    case take([RecordMerge.Taken])
    /// It goes.
    case delete
  }

  /// What becomes of the object.
  public var object: ObjectStep
  /// What is still to be sent; nil for nothing.
  public var change: LocalChange?
  /// The edits that are not sent any more, and what became of each.
  public var settled: [RecordMerge.Settled]
  /// The edits of an object that goes since it was deleted elsewhere: they fail, and are kept.
  public var lost: [LocalEdit]

  init(
    _ object: ObjectStep, change: LocalChange? = nil, settled: [RecordMerge.Settled] = [],
    lost: [LocalEdit] = []
  ) {
    self.object = object
    self.change = change
    self.settled = settled
    self.lost = lost
  }
}

extension Reception {
  /// Decides what to do with `news` of a record of which `base` is what the server told before, nil for
  /// nothing, and `change` what was done here since.
  ///
  /// Edits merge field by field; a deletion wins over edits, wherever it was made.
  public init(
    base: RecordState?, change: LocalChange?, news: ServerNews,
    rule: (_ field: String) -> MergeRule = { _ in .lastEdit }
  ) {
    switch (news, change) {
    case (.state(let server), nil):
      self = base == nil ? Reception(.insert) : Reception(base: base, merging: [], server, rule)
    case (.state, let change?) where change.kind == .delete:
      self.init(.keep, change: change)
    case (.state(let server), let change?):
      self.init(base: base, merging: change.edits, server, rule)
    case (.deleted, nil):
      self.init(base == nil ? .keep : .delete)
    case (.deleted, let change?) where change.kind == .delete:
      self.init(.keep)
    case (.deleted, let change?) where change.isAnew && change.mayHaveArrived:
      // Our own deletion arrived, and what was made over it has yet to come.
      self.init(.keep, change: LocalChange(.create, edits: change.edits))
    case (.deleted, let change?) where base == nil && !change.mayHaveArrived:
      // Of an earlier record of that name; ours has yet to come.
      self.init(.keep, change: change)
    case (.deleted, let change?):
      self.init(.delete, lost: change.edits)
    }
  }

  /// Merges edits into what the server has.
  private init(
    base: RecordState?, merging edits: [LocalEdit], _ server: RecordState,
    _ rule: (_ field: String) -> MergeRule
  ) {
    let merge = RecordMerge(base: base ?? .nothing, server: server, edits: edits, rule: rule)
    self.init(
      merge.taken.isEmpty ? .keep : .take(merge.taken),
      change: merge.pending.isEmpty ? nil : LocalChange(.update, edits: merge.pending),
      settled: merge.settled)
  }
}

extension LocalChange {
  /// What was done in all, when `later` was done after this; nil where nothing remains to be told.
  ///
  /// An edit of a field takes the place of the earlier one of that field.
  public func followed(by later: LocalChange) -> LocalChange? {
    switch (kind, later.kind) {
    case (.create, .delete) where !mayHaveArrived && !later.mayHaveArrived: return nil
    case (_, .delete):
      return LocalChange(.delete, mayHaveArrived: mayHaveArrived || later.mayHaveArrived)
    case (.delete, _):
      // The name is used again: the record that is there is given all the fields of the new one.
      var anew = LocalChange(.update, edits: later.edits, mayHaveArrived: mayHaveArrived)
      anew.isAnew = true
      return anew
    case (.create, _), (.update, _):
      var all = edits
      for edit in later.edits {
        let place = all.firstIndex { $0.name.utf8.elementsEqual(edit.name.utf8) }
        guard let place else {
          all.append(edit)
          continue
        }
        let earlier = all[place]
        all[place] = edit
        all[place].sent = earlier.sent
        all[place].isRestated = edit.isRestated || earlier.isRestated
      }
      var both = LocalChange(
        kind, edits: all, mayHaveArrived: mayHaveArrived || later.mayHaveArrived)
      // A new record is given all its fields in any case.
      both.isAnew = isAnew || kind == .update && later.isAnew
      return both
    }
  }
}
