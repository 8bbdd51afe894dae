import DataModel
import RecordWire

/// A record that a query has found.
struct QueryHit {
  let position: QueryOrder.Position
  let zone: ZoneKey
  /// Nil where it has to be read again, since many were looked at.
  let row: RecordRow?
}

/// What a cursor comes to.
enum CursorStep {
  case hit(QueryHit)
  /// Enough was looked at; what follows comes after this place.
  case stopped(QueryOrder.Position)
  case end

  var position: QueryOrder.Position? {
    switch self {
    case .hit(let hit): hit.position
    case .stopped(let position): position
    case .end: nil
    }
  }
}

/// How many records a page may still look at.
final class QueryBudget {
  private var left: Int

  init(_ count: Int) { left = count }

  /// Counts one record; false once there were too many.
  func spend() -> Bool {
    left -= 1
    return left >= 0
  }
}

/// The records of one zone that a query finds, in its order, behind a place.
protocol ZoneCursor: AnyObject {
  func next() throws -> CursorStep
}

/// What every cursor does with a candidate.
struct CandidateJudge {
  let match: QueryMatch
  let order: QueryOrder
  let zone: ZoneKey
  let after: QueryOrder.Position?
  /// In the public database, what the caller may do.
  let rights: RecordRights?

  /// The candidate's place, and whether the query finds it behind the place where the page begins.
  func judge(_ row: RecordRow) throws -> Judgement {
    let fields: RecordFields
    do { fields = try row.fields.fields() } catch { throw RequestFailure.damagedRecord }
    let values = RowValues(row, fields)
    let position = order.position(of: values, zone: zone.name)
    let isAhead = after.map { order.precedes($0, position) } ?? true
    return Judgement(
      position: position, isAhead: isAhead,
      isFound: isAhead && mayRead(row) && match.accepts(values))
  }

  /// What a candidate comes to.
  struct Judgement {
    let position: QueryOrder.Position
    /// Whether it comes behind the place where the page begins.
    let isAhead: Bool
    let isFound: Bool
  }

  private func mayRead(_ row: RecordRow) -> Bool {
    rights?.permissions(onRecordBy: row.created.userRecordName).contains(.read) ?? true
  }
}

/// Candidates that come in the order of the query.
final class OrderedCursor: ZoneCursor {
  private let judge: CandidateJudge
  private let budget: QueryBudget
  private let candidate: () throws -> RecordRow?

  init(
    _ judge: CandidateJudge, _ budget: QueryBudget, _ candidate: @escaping () throws -> RecordRow?
  ) {
    self.judge = judge
    self.budget = budget
    self.candidate = candidate
  }

  func next() throws -> CursorStep {
    while let row = try candidate() {
      let found = try judge.judge(row)
      if found.isFound {
        return .hit(QueryHit(position: found.position, zone: judge.zone, row: row))
      }
      if !budget.spend() && found.isAhead { return .stopped(found.position) }
    }
    return .end
  }
}

/// Candidates that are sorted: all of them, or those with one value of the first key after the other.
final class SortingCursor: ZoneCursor {
  private let judge: CandidateJudge
  private let limit: Int
  private let sortedMax: Int
  private let run: () throws -> [() throws -> RecordRow?]?
  private var hits: ArraySlice<QueryHit> = []

  /// Sorts what each of the runs gives; a run is over when it gives nil.
  init(
    _ judge: CandidateJudge, limit: Int, sortedMax: Int,
    _ run: @escaping () throws -> [() throws -> RecordRow?]?
  ) {
    self.judge = judge
    self.limit = limit
    self.sortedMax = sortedMax
    self.run = run
  }

  func next() throws -> CursorStep {
    while hits.isEmpty {
      guard let sources = try run() else { return .end }
      hits = try sort(sources)[...]
    }
    return hits.popFirst().map { .hit($0) } ?? .end
  }

  private func sort(_ sources: [() throws -> RecordRow?]) throws -> [QueryHit] {
    var best = BestHits(judge.order, limit: limit)
    var count = 0
    for source in sources {
      while let row = try source() {
        count += 1
        guard count <= sortedMax else { throw RequestFailure.tooManyToSort }
        let found = try judge.judge(row)
        guard found.isFound else { continue }
        best.add(QueryHit(position: found.position, zone: judge.zone, row: nil))
      }
    }
    return best.sorted()
  }
}

/// The first hits of many, without keeping the others.
struct BestHits {
  private let order: QueryOrder
  private let limit: Int
  private var hits: [QueryHit] = []

  init(_ order: QueryOrder, limit: Int) {
    self.order = order
    self.limit = limit
  }

  mutating func add(_ hit: QueryHit) {
    hits.append(hit)
    if hits.count >= 2 * limit + 16 { tidy() }
  }

  mutating func sorted() -> [QueryHit] {
    tidy()
    return hits
  }

  private mutating func tidy() {
    hits.sort { order.precedes($0.position, $1.position) }
    // A record may be found by several entries.
    var kept: [QueryHit] = []
    for hit in hits where kept.count < limit && kept.last?.position != hit.position {
      kept.append(hit)
    }
    hits = kept
  }
}
