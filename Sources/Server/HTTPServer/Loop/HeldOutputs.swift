/// Connections of a loop whose answers are ready, and wait for others of the same turn to be sent together.
///
/// Most of what sending costs on one machine is to wake the reader. Who finds several answers when it wakes
/// was woken once.
struct HeldOutputs {
  private var tokens: [UInt64] = []
  private var since: UInt64 = 0

  /// How many connections wait at most.
  private static let connectionsMax = 64
  /// How much one of them may have to send, in bytes; more than this costs much more than to wake somebody.
  ///
  /// It also bounds what the budget of messages does not know of yet.
  private static let outputBytesMax = 16 * 1024
  /// After how many milliseconds no further answer is waited for, beside the one that is being made.
  private static let millisecondsMax: UInt64 = 1

  /// Takes a connection that has so many bytes to send; false for one that has to send now.
  mutating func take(_ token: UInt64, bytes: Int, now: () -> UInt64) -> Bool {
    guard bytes <= Self.outputBytesMax else { return false }
    if tokens.isEmpty { since = now() }
    tokens.append(token)
    return true
  }

  /// Whether those that wait have to go before the turn ends.
  func mustGo(now: () -> UInt64) -> Bool {
    if tokens.isEmpty { return false }
    return tokens.count >= Self.connectionsMax || now() > since + Self.millisecondsMax
  }

  /// Those that wait, which none does any more.
  mutating func removeAll() -> [UInt64] {
    defer { tokens = [] }
    return tokens
  }
}
