import RecordWire
import SyncClient

/// A server that is put back to what it had some time ago, and who has not noticed it yet.
///
/// Devices notice it by their tokens, which reach further than the server does. A server that has grown as
/// far again cannot be told by tokens from one that has lost nothing; so before that happens its zones get
/// other epochs, as they do where a device would not notice it at all.
struct Restoration {
  /// The devices whose pushes the server has answered since it was backed up.
  var pushers: Set<Int> = []
  /// The devices that the server has told of changes since it was backed up.
  ///
  /// Who has read a part of them may be past places where records are again that had moved on by then.
  var readers: Set<Int> = []
  /// Whether the backup's schema has what was promoted.
  var isPromoted = false
  /// How far the tokens of those reach who have not noticed.
  var reaches: [Int: UInt64] = [:]
  /// Answers to requests up to this one do not come any more.
  private var voidCalls = 0

  /// Answers that are on their way when a server breaks down are lost with it.
  mutating func loseAnswers(upTo call: Int) { voidCalls = call }

  func isVoid(_ call: Int) -> Bool { call <= voidCalls }
}

extension SyncToken {
  /// The number of the last change that was there when the token was made.
  var reach: UInt64 { max(sequence, firstPull?.beganAt ?? 0) }
}
