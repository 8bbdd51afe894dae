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

extension ChangeRows {
  /// Leaves out what belongs to a commit that does not fit as a whole: a page does not end within a
  /// commit unless the commit alone is longer.
  mutating func cutBetweenCommits() {
    guard let next, let start = rows.firstIndex(where: { $0.commit == next.commit }), start > 0
    else { return }
    keep(start)
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
