public import RecordWire

/// One page of a feed: what changed, in order, and the token to go on from.
public struct FeedPage<Element: Sendable & Hashable>: Sendable, Hashable {
  /// What changed, at its newest state.
  public var elements: [Element]
  /// The token for the next page, or for the next pass.
  public var token: SyncToken
  /// Whether there is more already.
  public var isMoreComing: Bool
}

extension FeedPage {
  /// How many elements of a page fit into `limit`, one more having been read to know whether there are
  /// more: a page does not end within a commit unless the commit alone is longer.
  static func cut(_ rows: [RecordRow], limit: Int) -> Int {
    guard rows.count > limit else { return rows.count }
    let commit = rows[limit].commit
    guard let start = rows[..<limit].firstIndex(where: { $0.commit == commit }), start > 0 else {
      return limit
    }
    return start
  }
}

extension RequestFailure {
  /// The token is of another history than the one that is there, or of a part that is gone.
  static let tokenExpired = RequestFailure(
    .changeTokenExpired, reason: "client knowledge differs from server knowledge")

  /// The token is not of this kind of feed.
  static let otherToken = RequestFailure(
    .badRequest, reason: "Unknown sync continuation type")

  static func zoneNotFound(_ name: String) -> RequestFailure {
    RequestFailure(.zoneNotFound, reason: "Zone '\(name)' does not exist")
  }
}
