/// How much is tried with the files of records, and for how long; every limit has its name here.
public enum FileLimits {
  /// The most places for files that one request asks for, as the protocol has it.
  public static let placesMax = 200
  /// How long a place takes a file, in milliseconds: less than the protocol's 15 minutes.
  public static let placeLife: Int64 = 10 * 60_000
  /// How long the proof of an upload is used, in milliseconds: less than any server is known to take it.
  public static let receiptLife: Int64 = 12 * 3_600_000
  /// The most records that one request looks up for new addresses.
  public static let lookUpsMax = 200
  /// How often a pass tries one file before it goes on without it.
  public static let attemptsPerPass: Int64 = 3
  /// From how many attempts on a file that does not come counts as failed; it is tried all the same.
  public static let attemptsMax: Int64 = 6
  /// From how many attempts on a file keeps its object apart no more from the one that it is to become one with: about
  /// a day of attempts.
  public static let attemptsApartMax: Int64 = 100
  /// The longest that a pass waits for whoever has a file, in seconds: who asks for more is asked by a later one.
  public static let pauseSecondsMax: Int64 = 10
  /// The longest wait between two attempts, in milliseconds.
  public static let longestWait: Int64 = 3_600_000
  /// The largest file whose bytes are kept with a change that failed since its record was deleted
  /// elsewhere; of others their checksum is.
  public static let keptBytesMax: Int64 = 1 << 20
  /// The largest file that is fetched into a store in memory, whatever its record says of its size.
  public static let inMemoryBytesMax: Int64 = 1 << 30
  /// How much of a file is read at once, in bytes.
  public static let chunkBytes = 1 << 20

  /// Whether a pass tries a file again itself that did not come or go at the attempt of that number.
  public static func triesAgain(attempt: Int64, retryAfterSeconds: Int64?) -> Bool {
    attempt % attemptsPerPass != 0 && (retryAfterSeconds ?? 0) <= pauseSecondsMax
  }

  /// How long to wait after so many attempts, in milliseconds: at least what the server asks.
  public static func wait(attempts: Int64, retryAfterSeconds: Int64?) -> Int64 {
    let own = min(Backoff.firstMilliseconds << min(max(0, attempts), 20), longestWait)
    return max(own, Backoff.milliseconds(askedFor: retryAfterSeconds))
  }
}
