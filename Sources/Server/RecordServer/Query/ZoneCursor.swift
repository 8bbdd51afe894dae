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
  /// Some records were looked at and not found; what follows comes after this place.
  case passed(QueryOrder.Position)
  case end

  var position: QueryOrder.Position? {
    switch self {
    case .hit(let hit): hit.position
    case .passed(let position): position
    case .end: nil
    }
  }
}

/// How many records a page may still look at, or sort, in all of its zones together.
final class QueryBudget {
  private var left: Int

  init(_ count: Int) { left = count }

  /// Counts one record.
  func spend() { left -= 1 }

  /// Whether there were too many.
  var isOver: Bool { left < 0 }
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
  private let sliceMax: Int
  private let candidate: () throws -> RecordRow?

  /// Looks at `sliceMax` records in vain before other zones have their turn.
  init(
    _ judge: CandidateJudge, _ budget: QueryBudget, sliceMax: Int,
    _ candidate: @escaping () throws -> RecordRow?
  ) {
    self.judge = judge
    self.budget = budget
    self.sliceMax = sliceMax
    self.candidate = candidate
  }

  func next() throws -> CursorStep {
    var count = 0
    while let row = try candidate() {
      let found = try judge.judge(row)
      if found.isFound {
        return .hit(QueryHit(position: found.position, zone: judge.zone, row: row))
      }
      count += 1
      budget.spend()
      if found.isAhead && (count >= sliceMax || budget.isOver) { return .passed(found.position) }
    }
    return .end
  }
}

/// Candidates that are sorted: all of them, or those with one value of the first key after the other.
final class SortingCursor: ZoneCursor {
  private let judge: CandidateJudge
  private let limit: Int
  private let budget: QueryBudget
  private let sorted: SortLimit
  private let run: () throws -> [() throws -> RecordRow?]?
  private var hits: ArraySlice<QueryHit> = []

  /// Sorts what each of the runs gives; a run is over when it gives nil.
  init(
    _ judge: CandidateJudge, _ budget: QueryBudget, limit: Int, sorted: SortLimit,
    _ run: @escaping () throws -> [() throws -> RecordRow?]?
  ) {
    self.judge = judge
    self.limit = limit
    self.budget = budget
    self.sorted = sorted
    self.run = run
  }

  func next() throws -> CursorStep {
    while hits.isEmpty {
      guard let sources = try run() else { return .end }
      let last = try sort(sources)
      // Many runs may hold nothing: other zones have their turn, and a page its end.
      if hits.isEmpty, let last { return .passed(last) }
    }
    return hits.popFirst().map { .hit($0) } ?? .end
  }

  /// Sorts a run; gives the last place of all that was looked at behind the one where the page begins.
  private func sort(_ sources: [() throws -> RecordRow?]) throws -> QueryOrder.Position? {
    var best = BestHits(judge.order, limit: limit)
    var last: QueryOrder.Position?
    let left = sorted.budget()
    for source in sources {
      while let row = try source() {
        budget.spend()
        left.spend()
        guard !left.isOver else { throw RequestFailure.tooManyToSort }
        let found = try judge.judge(row)
        if found.isAhead, last.map({ judge.order.precedes($0, found.position) }) ?? true {
          last = found.position
        }
        guard found.isFound else { continue }
        best.add(QueryHit(position: found.position, zone: judge.zone, row: nil))
      }
    }
    hits = best.sorted()[...]
    return last
  }
}

/// How many records may be sorted.
enum SortLimit {
  /// So many in each run, since a page can end between two.
  case ofRun(Int)
  /// So many in all zones of the page, since each has to be sorted before the page can begin.
  case ofPage(QueryBudget)

  func budget() -> QueryBudget {
    switch self {
    case .ofRun(let most): QueryBudget(most)
    case .ofPage(let budget): budget
    }
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
