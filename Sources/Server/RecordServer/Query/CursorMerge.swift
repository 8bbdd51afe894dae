/// Several cursors as one, in the order of the query.
struct CursorMerge {
  private let cursors: [any ZoneCursor]
  private let order: QueryOrder
  private var heads: [CursorStep]

  init(_ cursors: [any ZoneCursor], _ order: QueryOrder) throws {
    self.cursors = cursors
    self.order = order
    heads = try cursors.map { try $0.next() }
  }

  /// The next hits, and the place to go on behind; no place when there are no more.
  mutating func take(
    _ limit: Int
  ) throws -> (hits: [QueryHit], end: QueryOrder.Position?) {
    var hits: [QueryHit] = []
    while let index = first() {
      guard case .hit(let hit) = heads[index] else { return (hits, heads[index].position) }
      if hits.count == limit { return (hits, hits.last?.position) }
      hits.append(hit)
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
