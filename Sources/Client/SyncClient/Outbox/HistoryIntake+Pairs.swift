import DataModel
import ObjectStore
import RecordWire
import SQLiteDriver
import SyncCore

// Pairs of many-to-many relationships, which history names by one of their objects.
extension HistoryIntake {
  mutating func takePairs(ofNew run: HistoryRun) throws {
    for edges in objects.edgeTypes {
      for side in MappedEdge.Side.allCases
      where edges.mayHold(run.entity, isSource: edges.isAt(side, isSource: true)) {
        for step in 0..<run.count { try takePairs(edges, of: run.key + step, at: side, run) }
      }
    }
  }

  /// Pairs that the store has and nobody has a record of are new, and records of pairs that the store
  /// has no longer go.
  mutating func takePairs(
    _ edges: EdgeType, of key: Int64, at side: MappedEdge.Side, _ run: HistoryRun
  ) throws {
    let present = try edges.pairs(of: key, at: side, in: rows.connection)
    var known: [RecordRow] = []
    for isSource in [true, false] where edges.isAt(side, isSource: isSource) {
      known += try rows.pairRecords(property: edges.number, key: key, isSource: isSource)
    }
    for pair in present {
      let owner = RecordRow.Owner.pair(
        property: edges.number, source: pair.source.key, target: pair.target.key)
      if let record = known.first(where: { $0.owner == owner }) {
        try takeKnownPair(edges, record, run)
      } else {
        try takeNewPair(pair, edges, owner, run)
      }
    }
    for record in known
    where !present.contains(where: {
      record.owner
        == .pair(property: edges.number, source: $0.source.key, target: $0.target.key)
    }) {
      try add(LocalChange(.delete), to: record, run)
    }
  }

  private mutating func takeNewPair(
    _ pair: EdgePair, _ edges: EdgeType, _ owner: RecordRow.Owner, _ run: HistoryRun
  ) throws {
    // An end that has no record yet is taken in later, and with it this pair.
    guard let made = try LocalRecords(rows, objects).record(of: pair, edges) else { return }
    let name = made.name.text
    if let record = try rows.record(named: name, zone: zone) {
      // The record of that name was there before: its pair was parted and joined again.
      try rows.setOwner(owner, of: record.number)
      if let failed = try rows.change(of: record.number, state: .failed),
        try rows.base(of: record.number) == nil
      {
        // What failed was of the earlier pair, and has no values that this one has not.
        try rows.deleteChange(try rows.single(record.number, of: failed).number)
      }
      return try add(LocalChange(.create), to: record, run)
    }
    let record = RecordRow(
      number: try rows.nextRecordNumber(), zone: zone, name: name, type: edges.edge.recordType,
      owner: owner)
    try rows.insert(record)
    try add(LocalChange(.create), to: record, run)
  }

  /// A pair that was there: its places in the lists may be others, or it was away for a moment.
  private mutating func takeKnownPair(
    _ edges: EdgeType, _ record: RecordRow, _ run: HistoryRun
  ) throws {
    let change = try rows.change(of: record.number, state: .pending)
    let failed = try rows.change(of: record.number, state: .failed)
    if (change ?? failed)?.change.kind == .delete {
      try add(LocalChange(.create), to: record, run)
    } else if let change {
      return try join(change.unit, with: run)
    }
    if !edges.orderFields.isEmpty { try edit(edges.orderFields, of: record, run) }
  }
}

extension EdgeType {
  /// The fields with places in the orders of a pair's ends.
  var orderFields: [String] {
    switch edge.layout {
    case .own(_, _, let sourceOrder, let targetOrder): [sourceOrder, targetOrder].compactMap { $0 }
    case .shared: []
    }
  }

  /// Whether objects at a side of the records are in the table's column `source`, or else `target`.
  func isAt(_ side: MappedEdge.Side, isSource: Bool) -> Bool {
    pairs.isMirrored || ((side == .source) != isFlipped) == isSource
  }

  /// Whether an object of an entity may be in the table's column `source`, or else `target`.
  func mayHold(_ entity: Int, isSource: Bool) -> Bool {
    let end = isSource ? sourceLayout : targetLayout
    return layout.entity(number: entity).map { end.family.contains($0.index) } ?? false
  }
}

extension ObjectType {
  /// Whether the store has an object.
  func has(_ key: Int64, _ connection: Connection) throws(SQLiteError) -> Bool {
    let statement = try connection.statement(
      "SELECT 1 FROM \(StoreLayout.sqlName(layout.table)) WHERE _id = ?1")
    defer { statement.reset() }
    statement.bind(1, key)
    return try statement.step()
  }
}
