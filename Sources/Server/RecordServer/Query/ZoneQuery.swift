import DataModel

/// A query in one zone: makes the cursor that a plan asks for.
struct ZoneQuery {
  let query: CheckedQuery
  let plan: ZonePlan
  let judge: CandidateJudge
  /// How many hits the page wants at most, and one more to know whether there are more.
  let limit: Int
  let budget: QueryBudget
  let sliceMax: Int
  let sortedMax: Int
  /// What all zones together may sort.
  let sorted: QueryBudget
  let transaction: any StorageTransaction

  private var zone: ZoneKey { judge.zone }
  private var order: QueryOrder { query.order }

  func cursor() throws -> any ZoneCursor {
    switch plan {
    case .byName(let scans):
      let merged = MergedStream(
        scans.map { stream(startingAtName($0)) }, isAscending: order.isAscending)
      return OrderedCursor(judge, budget, sliceMax: sliceMax) { try merged.next() }
    case .byNameOfType:
      let all = typeStream(from: judge.after.map { startingPlace([], $0) })
      return OrderedCursor(judge, budget, sliceMax: sliceMax) { try all.next()?.row }
    case .byKey(let scan) where isOrderOfIndex:
      let stream = stream(startingAtKey(scan))
      return OrderedCursor(judge, budget, sliceMax: sliceMax) { try stream.next()?.row }
    case .byKey(let scan): return runs(stream(startingAtRun(scan)))
    case .sorted(let scans): return sorting(scans.map { rows(stream($0)) })
    case .named(let names): return sorting([try rows(named: names)])
    case .sortedOfType: return sorting([rows(typeStream(from: nil))])
    }
  }

  /// Whether equal values too come in the order of the query.
  private var isOrderOfIndex: Bool {
    order.keys.count == 1 && order.keys.first?.isAscending == order.isAscending
  }

  private func stream(_ scan: IndexScan) -> CandidateStream {
    CandidateStream(scan, zone, transaction)
  }

  private func typeStream(from start: IndexScan.Place?) -> CandidateStream {
    CandidateStream(
      type: query.type.name, isDescending: !order.isAscending, start: start, zone, transaction)
  }

  /// Where the page begins: a record of the same name may be wanted of one zone that was had of
  /// another, and the judge leaves out what the page before had.
  private func startingPlace(
    _ value: [UInt8], _ position: QueryOrder.Position
  ) -> IndexScan.Place {
    IndexScan.Place(value, position.name, isIncluded: true)
  }

  private func startingAtName(_ scan: IndexScan) -> IndexScan {
    var scan = scan
    scan.start = judge.after.map { startingPlace(scan.range.lower, $0) }
    return scan
  }

  private func startingAtKey(_ scan: IndexScan) -> IndexScan {
    var scan = scan
    scan.start = judge.after.flatMap { after in
      after.keys.first.map { startingPlace($0, after) }
    }
    return scan
  }

  private func startingAtRun(_ scan: IndexScan) -> IndexScan {
    guard let value = judge.after?.keys.first else { return scan }
    var scan = scan
    let behind =
      scan.isDescending
      ? IndexRange(from: [], before: IndexRange.successor(of: value))
      : IndexRange(from: value, before: IndexRange.all.upper)
    scan.range = scan.range.intersection(behind)
    return scan
  }

  private func rows(_ stream: CandidateStream) -> () throws -> RecordRow? {
    { try stream.next()?.row }
  }

  private func rows(named names: [String]) throws -> () throws -> RecordRow? {
    var rows = try transaction.records(names, in: zone).compactMap { $0 }
      .filter { !$0.isDeleted && $0.type == query.type.name }[...]
    return { rows.popFirst() }
  }

  /// Sorts all candidates at once.
  private func sorting(_ sources: [() throws -> RecordRow?]) -> SortingCursor {
    var sources: [() throws -> RecordRow?]? = sources
    return SortingCursor(judge, budget, limit: limit, sorted: .ofPage(sorted)) {
      defer { sources = nil }
      return sources
    }
  }

  /// Sorts the candidates with one value of the first key, then those with the next.
  private func runs(_ stream: CandidateStream) -> SortingCursor {
    SortingCursor(judge, budget, limit: limit, sorted: .ofRun(sortedMax)) {
      guard let value = try stream.peek()?.value else { return nil }
      return [{ try stream.peek()?.value == value ? try stream.next()?.row : nil }]
    }
  }
}
