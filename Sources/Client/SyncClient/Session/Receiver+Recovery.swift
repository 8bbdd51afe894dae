import RecordWire
import SQLiteDriver
import SyncCore

// What a device does about records that the server had confirmed and has lost.
extension Receiver {
  /// Does with a record that the server lacks, or may lack, what the policy says.
  ///
  /// Others may have sent it again by now: then a deletion still has something to delete.
  mutating func recover(_ row: RecordRow, _ policy: TroublePolicy, mayBeBack: Bool = false) throws {
    if mayBeBack, try keepDeletion(of: row) { return }
    switch policy {
    case .deleteLocal: try takeDeletion(row)
    case .keepLocal: try detach(row)
    case .reupload: try sabotage.contains(.keptBack) ? detach(row) : sendAgain(row)
    case .ask: break
    }
  }

  /// Keeps a record here only, until its object is edited: then it is sent as new, with the clocks that it
  /// had, so that what was not edited wins over nothing.
  private mutating func detach(_ row: RecordRow) throws {
    guard let base = try rows.base(of: row.number), try !dropDeletion(of: row, base) else { return }
    if row.owner == .none { return try forget(row, base) }
    if try unsentChange(of: row) != nil { return try sendAgain(row) }
    var lost = base
    lost.tag = nil
    try rows.setBase(lost, of: row, was: base)
  }

  /// Has a record sent as the server confirmed it last, with what was edited since.
  private mutating func sendAgain(_ row: RecordRow) throws {
    guard var base = try rows.base(of: row.number), try !dropDeletion(of: row, base) else { return }
    let old = base
    base.tag = nil
    try rows.setBase(base, of: row, was: old)
    try revive(row)
    guard var change = try unsentChange(of: row) else {
      return try rows.put(try rows.newChange(LocalChange(.update), of: row, clock, now))
    }
    change.change.mayHaveArrived = false
    try rows.put(change)
  }

  /// What was done to a record, parked or not, as a change that is pending.
  private mutating func unsentChange(of row: RecordRow) throws -> ChangeRow? {
    if let parked = try rows.change(of: row.number, state: .parked) {
      try rows.unpark(try rows.single(row.number, of: parked))
    }
    return try rows.ownChange(of: row.number)
  }

  /// Has a deletion sent to whatever the server has now; false for a record that is not deleted here.
  ///
  /// One that became another record was deleted for what it was, and not for what may be sent again.
  private mutating func keepDeletion(of row: RecordRow) throws -> Bool {
    guard let base = try rows.base(of: row.number),
      let change = try rows.ownChange(of: row.number), change.change.kind == .delete,
      !change.isOfUnifying
    else { return false }
    try rows.setBase(nil, of: row, was: base)
    return true
  }

  /// A record that is deleted here, and that the server lacks, is done with; false for another one.
  private mutating func dropDeletion(of row: RecordRow, _ base: BaseRow) throws -> Bool {
    var change = try rows.ownChange(of: row.number)
    if change == nil, let failed = try rows.change(of: row.number, state: .failed) {
      change = try rows.single(row.number, of: failed)
    }
    guard let change, change.change.kind == .delete else { return false }
    try rows.deleteChange(change.number)
    try rows.setBase(nil, of: row, was: base)
    try rows.deleteRecord(row.number)
    note(row, .absorbed)
    return true
  }
}

extension Receiver {
  /// What is known of a record without what its object has not, so that it takes that like news.
  ///
  /// These are references to objects that were deleted elsewhere, which may be there again, and files that have
  /// not come.
  func withoutMissing(
    _ known: RecordState, _ row: RecordRow, _ change: ChangeRow?
  ) throws -> RecordState {
    guard change?.change.kind != .delete, case .object(let entity, _) = row.owner,
      let type = objects.objectType(number: entity), let read = try local.fields(of: row)
    else { return known }
    let edited = change?.change.edits.map(\.name) ?? []
    let awaited = try awaitedFields(of: row, type)
    var rest = known
    for place in type.places where !edited.contains(place.name) {
      let here = read.fields[place.name]?.value ?? .null
      if place.destination != nil, here == .null {
        rest.fields[place.name] = nil
        try rows.deleteWaiting(record: row.number, field: place.name)
      } else if type.fileFields.contains(place.name),
        awaited.contains(place.name) || !here.isSame(as: known.value(place.name))
      {
        // The object may have an earlier value, so that also nothing is news.
        rest.fields[place.name] = RecordField(.asset(RecordAsset()))
      }
    }
    return rest
  }

  /// The fields whose files have not come: an object has in them what it had before.
  private func awaitedFields(of row: RecordRow, _ type: ObjectType) throws -> Set<String> {
    type.hasFiles ? Set(try rows.awaitedFiles(of: row.number).map(\.field)) : []
  }

  /// Whether the server may have been put back to an earlier state, and nobody has chosen that this counts.
  var mayBeRestored: Bool { zone.refetch != nil && mayBePutBack }

  /// Whether nobody has chosen that what the server has lost counts as lost.
  var mayBePutBack: Bool { recovery == nil || recovery == .reupload }

  /// Whether the server has an earlier state of a record than it told before: it was put back, and this is the
  /// first that anybody here hears of it.
  func isPutBack(_ server: RecordState, _ known: RecordState) -> Bool {
    guard mayBePutBack, let now = server.clocks, let before = known.clocks else { return false }
    // Who has sent a part of what a device did may have said that the record has it all.
    return !now.hasAll(of: before) || now.isBehind(before)
  }

  /// Adds to a change what the server had confirmed and has lost: fields that are later in `known`, which
  /// takes over what the server has there, so that it counts as edited here only.
  ///
  /// Fields that this program does not know cannot be sent by it, and are as the server has them.
  mutating func recover(
    _ change: ChangeRow?, of row: RecordRow, from known: inout RecordState, _ server: RecordState
  ) throws -> ChangeRow? {
    guard change?.change.kind != .delete, case .object(let entity, _) = row.owner,
      let type = objects.objectType(number: entity)
    else { return change }
    let lost = withTwins(known.edits(newerThan: server), known, type).filter { edit in
      type.places.contains { $0.fieldNames.contains(edit.name) }
        && change?.change.edits.contains { $0.name == edit.name } != true
    }
    let awaited = try awaitedFields(of: row, type)
    if type.hasFiles { try forgetAwaited(lost, of: row) }
    guard !lost.isEmpty, let read = try local.fields(of: row) else { return change }
    let before = known
    let earlier = type.hasFiles ? try rows.earlierValues(of: row.number) : []
    let restated = try lost.compactMap { edit in
      // Which of two fields has a value may differ from what was confirmed; the value is the same.
      if let twin = type.twinPlace(of: edit.name)?.assetTwin, !awaited.contains(twin) {
        return restating(edit, read.fields)
      }
      return try restating(edit, before, server, of: row, type, read.fields, earlier)
    }
    if restated.isEmpty { return change }
    for edit in restated { known.fields[edit.name] = server.fields[edit.name] }
    var change = try change ?? rows.newChange(LocalChange(.update), of: row, clock, now)
    change.change.edits += restated
    return change
  }

  /// Edits with what stands beside them where a value is in one of two fields: both are told.
  private func withTwins(
    _ lost: [LocalEdit], _ known: RecordState, _ type: ObjectType
  ) -> [LocalEdit] {
    var all = lost
    for edit in lost {
      guard let place = type.twinPlace(of: edit.name) else { continue }
      for name in place.fieldNames where !all.contains(where: { $0.name.isSameName(name) }) {
        all.append(LocalEdit(name, known.value(name), edit.clock))
      }
    }
    return all
  }

  /// A lost edit with what the object has in its field.
  private func restating(_ lost: LocalEdit, _ fields: RecordFields) -> LocalEdit {
    var edit = LocalEdit(lost.name, fields[lost.name]?.value ?? .null, lost.clock)
    edit.isRestated = true
    return edit
  }

  /// A lost edit as it is sent again: by who has its value.
  ///
  /// Who has only an earlier value of a file sends that, as earlier: it wins over what the server has of earlier
  /// still, and the lost one wins over it. What else the object has not, since it has not come, others have to send.
  private func restating(
    _ lost: LocalEdit, _ known: RecordState, _ server: RecordState, of row: RecordRow,
    _ type: ObjectType, _ fields: RecordFields, _ earlier: [EarlierValue]
  ) throws -> LocalEdit? {
    var edit = LocalEdit(lost.name, .null, lost.clock)
    // Others have the value that the server has lost: they have to hear if it is taken back, too.
    edit.isRestated = true
    edit.value = try local.value(of: edit, row, fields)
    if objects.isSame(edit.value, lost.value, in: lost.name, of: row) { return edit }
    guard type.fileFields.contains(lost.name), !edit.value.isSame(as: server.value(lost.name))
    else { return nil }
    edit.isInherited = true
    let there = server.clocks?[lost.name]
    if let clock = earlier[lost.name] {
      edit.clock = clock
      return there.map { $0 < clock } ?? true ? edit : nil
    }
    if edit.value == .null { return nil }
    // What nobody here has heard of may be later than the value that the object has.
    if let there, known.clocks?.has(there) == false,
      server.clocks?.isOfEarlierValue(lost.name) == false
    {
      return nil
    }
    edit.clock = there?.next ?? lost.clock
    return edit
  }

  /// Files that the object waits for and the server has lost do not come: it has what it had before.
  private func forgetAwaited(_ lost: [LocalEdit], of row: RecordRow) throws {
    for awaited in try rows.awaitedFiles(of: row.number)
    where lost.contains(where: { $0.name == awaited.field }) {
      try rows.forgetAwaitedFile(row.number, awaited.field)
      try rows.log(
        [
          .fileMissing(
            record: row.name, field: awaited.field,
            reason: "the server has lost the file before it was fetched")
        ], at: now)
    }
  }
}
