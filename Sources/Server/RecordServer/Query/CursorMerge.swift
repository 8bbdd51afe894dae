/// Several cursors as one, in the order of the query.
struct CursorMerge {
  private let cursors: [any ZoneCursor]
  private let order: QueryOrder
  private let budget: QueryBudget
  private var heads: [CursorStep]

  init(_ cursors: [any ZoneCursor], _ order: QueryOrder, _ budget: QueryBudget) throws {
    self.cursors = cursors
    self.order = order
    self.budget = budget
    heads = try cursors.map { try $0.next() }
  }

  /// The next hits, and the place to go on behind; no place when there are no more.
  mutating func take(
    _ limit: Int
  ) throws -> (hits: [QueryHit], end: QueryOrder.Position?) {
    var hits: [QueryHit] = []
    while let index = first() {
      if case .hit(let hit) = heads[index] {
        if hits.count == limit { return (hits, hits.last?.position) }
        hits.append(hit)
      } else if budget.isOver {
        // The zone that is farthest behind: no other has to be looked at again from before here.
        return (hits, heads[index].position)
      }
      heads[index] = try cursors[index].next()
    }
    return (hits, nil)
  }

  private func first() -> Int? {
    var best: (index: Int, position: QueryOrder.Position)?
    for (index, head) in heads.enumerated() {
      guard let position = head.position else { continue }
      if let best, !order.precedes(position, best.position) { continue }
      best = (index, position)
    }
    return best?.index
  }
}
