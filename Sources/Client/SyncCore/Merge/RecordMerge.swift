public import RecordWire

/// An edit of one field that the server has not confirmed.
public struct LocalEdit: Hashable, Sendable {
  /// The field.
  public var name: String
  /// What it is now; null for nothing.
  public var value: RecordValue
  /// When it was edited.
  public var clock: FieldClock
  /// What was sent of it, or of earlier edits of the field, without a confirmation.
  public var sent: [SentEdit]
  /// Whether the clock is that of another value that this one comes from, and not of an edit of this record
  /// by the clock's device.
  public var isInherited = false
  /// Whether the server is told of it also where it has that value: when it was edited counts for others.
  public var isRestated = false

  /// Describes an edit.
  public init(_ name: String, _ value: RecordValue, _ clock: FieldClock, sent: [SentEdit] = []) {
    self.name = name
    self.value = value
    self.clock = clock
    self.sent = sent
  }
}

extension FieldClocks {
  /// Notes an edit.
  public mutating func note(_ edit: LocalEdit) {
    if edit.isInherited {
      inherit(edit.clock, of: edit.name)
    } else {
      note(edit.clock, of: edit.name)
    }
  }
}

/// An edit that was sent, and nobody knows whether it arrived: the record's clocks tell, or where there are
/// none its value.
public struct SentEdit: Hashable, Sendable {
  /// The value that was sent.
  public var value: RecordValue
  /// When it was edited; nil where the record was sent without clocks.
  public var clock: FieldClock?

  /// Describes what was sent.
  public init(value: RecordValue, clock: FieldClock?) {
    self.value = value
    self.clock = clock
  }
}

/// A state of a record that the server has told: its fields, and when each was edited.
public struct RecordState: Hashable, Sendable {
  /// The fields, without that of the clocks.
  public var fields: RecordFields
  /// The clocks; nil where the record tells none.
  public var clocks: FieldClocks?
  /// When the server took the record in.
  public var modified: HybridTime

  /// Describes a state.
  public init(fields: RecordFields, clocks: FieldClocks? = nil, modified: HybridTime = .origin) {
    self.fields = fields
    self.clocks = clocks
    self.modified = modified
  }

  /// Before the server had anything.
  public static let nothing = RecordState(fields: RecordFields())

  /// What a field is; null for nothing.
  public func value(_ name: String) -> RecordValue { fields[name]?.value ?? .null }

  /// When a field was edited, whose value was another one in `base`.
  ///
  /// Whoever writes without clocks leaves the old ones where they are: then, and where there are none, the
  /// server's own time stands for the edit's.
  func clock(_ name: String, since base: RecordState) -> FieldClock {
    let arrival = FieldClock(modified, .unknown)
    guard let clock = clocks?[name] else { return arrival }
    let isOld = base.clocks?[name] == clock && !value(name).isSame(as: base.value(name))
    return isOld ? max(arrival, clock) : clock
  }
}

/// What a three-way merge says.
public struct RecordMerge: Hashable, Sendable {
  /// A field that the object takes, and its value.
  public struct Taken: Hashable, Sendable {
    /// The field.
    public var name: String
    /// The value; null for nothing.
    public var value: RecordValue

    /// Names a field and its value.
    public init(name: String, value: RecordValue) {
      self.name = name
      self.value = value
    }
  }

  /// An edit that is not sent any more, and what became of it.
  public struct Settled: Hashable, Sendable {
    /// The edit.
    public var edit: LocalEdit
    /// Whether the server has the same, so that nothing is lost; else another edit has won.
    public var isOnServer: Bool
    /// What the server has.
    public var server: RecordValue
  }

  /// What the object takes over: what the server has changed, and what came of both edits.
  public var taken: [Taken] = []
  /// What is still to be sent, with the values that came of both edits.
  public var pending: [LocalEdit] = []
  /// The edits that are not.
  public var settled: [Settled] = []
}

extension SentEdit {
  /// Whether the server has it, and `base` has not.
  ///
  /// Where the server tells no clocks, it has what was sent if it has that value: somebody else may have given it
  /// the same one, which cannot be told apart, and is the rarer case than a lost answer.
  fileprivate func hasArrived(
    as field: String, _ base: RecordState, _ server: RecordState
  ) -> Bool {
    guard let clocks = server.clocks else {
      return value.isSame(as: server.value(field)) && !value.isSame(as: base.value(field))
    }
    guard let clock else { return false }
    // What waits for a promotion is sent after later edits, so that a base with those seems to have it.
    if clocks[field] == clock { return base.clocks?[field].map { $0 < clock } ?? true }
    // What the base has of it already is no news: the value here was merged with that.
    // A field whose clock is older never had it.
    guard clocks.has(clock), base.clocks?.has(clock) != true else { return false }
    return clocks[field].map { $0 >= clock } == true
  }
}

extension LocalEdit {
  /// What of this field, or of what it was earlier, a request brought that was refused: a second copy of it has
  /// come later, when there was nothing to refuse any more.
  ///
  /// Without it a counter would count twice what the copy brought. Of what others have edited since it is not
  /// known whether the copy had the field at all.
  fileprivate func lateCopy(in server: RecordState, over base: RecordState) -> SentEdit? {
    guard !isInherited, let clocks = server.clocks, let there = clocks[name],
      there.device == clock.device, there <= clock
    else { return nil }
    // A clock of ours that the base does not know came with a request. One that comes from another record's
    // value is not among the edits that this one has.
    guard base == .nothing || clocks.has(there) && base.clocks?.has(there) != true else {
      return nil
    }
    // It was left out of the copy, whoever has given it a value since.
    if there.time == .origin { return SentEdit(value: .null, clock: there) }
    let sent = server.value(name)
    // A field that came into being after the request has the clock of all others.
    if there == clock, sent == .null, value != .null { return nil }
    return SentEdit(value: sent, clock: there)
  }
}

extension RecordMerge {
  /// Merges what was edited here with what the server has, by what both had last.
  ///
  /// One side changed a field: that side wins. Both did: the field's rule decides. The result's `pending`
  /// is to be sent on top of `server`, which is the base from now on. The device's clock has to observe the
  /// moments of what is pending, since edits that came of two are later than either.
  public init(
    base: RecordState, server: RecordState, edits: [LocalEdit],
    rule: (_ field: String) -> MergeRule = { _ in .lastEdit }
  ) {
    var edited: Set<[UInt8]> = []
    for edit in edits {
      edited.insert(Array(edit.name.utf8))
      merge(edit, base, server, rule(edit.name))
    }
    for name in Self.names(base, server) where !edited.contains(Array(name.utf8)) {
      let value = server.value(name)
      if !value.isSame(as: base.value(name)) { taken.append(Taken(name: name, value: value)) }
    }
  }

  private mutating func merge(
    _ edit: LocalEdit, _ base: RecordState, _ server: RecordState, _ rule: MergeRule
  ) {
    let there = server.value(edit.name)
    let arrived =
      edit.sent.last { $0.hasArrived(as: edit.name, base, server) }
      ?? edit.lateCopy(in: server, over: base)
    if let arrived,
      arrived.clock == edit.clock || server.clocks == nil && arrived.value.isSame(as: edit.value)
    {
      // Its confirmation was lost on the way: what the server has was made of it.
      return settle(edit, isOnServer: true, there)
    }
    if server.clocks?[edit.name] == edit.clock && there.isSame(as: edit.value) {
      // Somebody else has sent it: no rule is to count it twice.
      return settle(edit, isOnServer: true, there)
    }
    // What both sides had last is what arrived, if any did.
    let before = arrived?.value ?? base.value(edit.name)
    let clockBefore = arrived?.clock ?? base.clocks?[edit.name]
    if there.isSame(as: before) && clockBefore == server.clocks?[edit.name] {
      return pending.append(edit)
    }
    let conflict = FieldConflict(
      name: edit.name, base: before, local: edit.value, server: there, localClock: edit.clock,
      serverClock: server.clock(edit.name, since: base))
    let value = rule.value(for: conflict)
    if !value.isSame(as: there) { return keep(edit, value, conflict) }
    let isSame = edit.value.isSame(as: there)
    if isSame, server.clocks != nil, conflict.serverClock < edit.clock {
      // The same value, edited later: the server has to know when, or an earlier edit of a third device
      // would win over it.
      var restated = edit
      restated.isRestated = true
      return pending.append(restated)
    }
    settle(edit, isOnServer: isSame, there)
  }

  private mutating func settle(_ edit: LocalEdit, isOnServer: Bool, _ server: RecordValue) {
    settled.append(Settled(edit: edit, isOnServer: isOnServer, server: server))
    if !edit.value.isSame(as: server) { taken.append(Taken(name: edit.name, value: server)) }
  }

  /// A value that the server does not have: it is sent, as an edit that is later than the server's.
  private mutating func keep(_ edit: LocalEdit, _ value: RecordValue, _ conflict: FieldConflict) {
    var kept = edit
    kept.value = value
    if kept.clock < conflict.serverClock {
      kept.clock.time = conflict.serverClock.time.next
    }
    pending.append(kept)
    if !value.isSame(as: edit.value) { taken.append(Taken(name: edit.name, value: value)) }
  }

  /// The names of both, in the order of their bytes, each once.
  private static func names(_ base: RecordState, _ server: RecordState) -> [String] {
    var merged = server.fields.names
    for name in base.fields.names where server.fields[name] == nil { merged.append(name) }
    return merged
  }
}
