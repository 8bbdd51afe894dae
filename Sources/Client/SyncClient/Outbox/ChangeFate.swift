/// What became of a change that was pending.
///
/// A change is always in exactly one of four states: acknowledged (sent, absorbed, overruled or
/// discarded), pending, parked or failed. Whoever moves it says so by one of these.
public struct ChangeFate: Hashable, Sendable {
  /// Where the change went.
  public enum Outcome: Hashable, Sendable {
    /// The server has it.
    case sent
    /// A later change here, or the same one elsewhere, has made it needless.
    case absorbed
    /// Another edit won; these fields have other values now.
    case overruled(fields: [String])
    /// The user gave it up.
    case discarded
    /// It waits until production has a type, or these fields.
    case parked(fields: [String])
    /// It is kept with its reason.
    case failed(code: String, reason: String)
    /// It is sent again.
    case pending
  }

  /// The record's name.
  public let recordName: String
  /// The record's type.
  public let recordType: String
  /// Where it went.
  public let outcome: Outcome

  init(_ record: RecordRow, _ outcome: Outcome) {
    recordName = record.name
    recordType = record.type
    self.outcome = outcome
  }
}
