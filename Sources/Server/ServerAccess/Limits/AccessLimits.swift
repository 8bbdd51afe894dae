/// Every limit of this module, with its unit.
public enum AccessLimits {
  /// How long a name, a container's name or an e-mail address may be, in bytes.
  public static let nameBytesMax = 255
  /// How long a note may be, in bytes.
  public static let notesBytesMax = 2000
  /// How short a password may be, in bytes.
  public static let passwordBytesMin = 8
  /// How long a password may be, in bytes.
  public static let passwordBytesMax = 1024
  /// How many origins an API token may list.
  public static let originsMax = 100
  /// How long an address that a sign-in ends at may be, in bytes.
  public static let callbackBytesMax = 2000
  /// How many roles a user may have in one environment of a container.
  public static let rolesMax = 100
  /// How large the text of a public key may be, in bytes.
  public static let keyTextBytesMax = 8192
  /// How many web tokens a user has at most; those that end first go first.
  public static let sessionsPerUserMax = 200

  /// How long a web token lives, in milliseconds.
  public static let sessionLife: Int64 = 30 * minute
  /// How long a web token lives for someone who wants to stay signed in, in milliseconds.
  public static let keptSessionLife: Int64 = 14 * day
  /// How long after the sign-in a web token ends in any case, however often it is used, in milliseconds.
  public static let sessionTotalMax: Int64 = 90 * day
  /// How long a management token lives when nothing else is said, in milliseconds.
  public static let managementTokenLife: Int64 = 365 * day
  /// How long any token may be made for, in milliseconds.
  public static let lifeMax: Int64 = 3650 * day

  /// How far a signed request's date may be from the server's, in milliseconds.
  public static let signatureAgeMax: Int64 = 10 * minute
  /// How long a signature's text may be, in bytes; a P-256 signature has 96 at most.
  public static let signatureBytesMax = 200

  /// How long the daemon may not know what another process changed in the file, in milliseconds.
  public static let staleMax: Int64 = 1000
  /// How many tokens or keys of a kind are kept in memory, twice at most.
  public static let cachedMax = 8192
  /// How many prolonged tokens wait to be written.
  public static let renewalsWaitingMax = 4096
  /// How many sign-ins may wait for the one that is at work.
  public static let signInsWaitingMax = 16

  static let minute: Int64 = 60_000
  static let day: Int64 = 86_400_000
}

/// Arithmetic of milliseconds since 1970 that ends at the largest number instead of trapping.
enum Milliseconds {
  static func sum(_ time: Int64, _ life: Int64) -> Int64 {
    let (sum, isTooLarge) = time.addingReportingOverflow(life)
    if !isTooLarge { return sum }
    return life < 0 ? .min : .max
  }

  static func difference(_ later: Int64, _ earlier: Int64) -> Int64 {
    let (difference, isTooLarge) = later.subtractingReportingOverflow(earlier)
    if !isTooLarge { return difference }
    return earlier < 0 ? .max : .min
  }
}
