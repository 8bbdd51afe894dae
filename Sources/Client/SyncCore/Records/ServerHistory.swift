import RecordWire

/// Whether what a server tells now goes on from what it told before.
public enum ServerHistory: Hashable, Sendable {
  /// It does: what is not told any more was deleted.
  case same
  /// It ends before what was told already, or goes on from there as another one: the server was put back to an
  /// earlier state.
  case shorter
  /// It is another one: the zone was made anew.
  case other
  /// Nobody can tell: the tokens are of another kind of server.
  case unknown

  /// Compares the last token of before with one of now.
  public init(from last: String?, to now: String) {
    guard let last = last.flatMap({ try? SyncToken(text: $0) }), let now = try? SyncToken(text: now)
    else {
      self = .unknown
      return
    }
    if last.epoch == now.epoch {
      self = now.reach < last.reach ? .shorter : .same
    } else {
      self = HistoryEpoch.areRelated(last.epoch, now.epoch) ? .shorter : .other
    }
  }

  /// What a program may want to decide about; nil where nothing is wrong, or nobody can tell.
  public var trouble: Trouble? {
    switch self {
    case .same, .unknown: nil
    case .shorter: .serverRestored
    case .other: .zoneReset
    }
  }
}

extension SyncToken {
  /// The number of the last change that was there when the token was made.
  fileprivate var reach: UInt64 { max(sequence, firstPull?.beganAt ?? 0) }
}
