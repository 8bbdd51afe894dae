import FoundationEssentials

/// What an engine takes from the world around it.
public struct SyncEnvironment: Sendable {
  /// The time, in milliseconds since 1970.
  public var now: @Sendable () -> Int64
  /// Where random numbers come from: for names of records, the installation's number, and waits.
  public var random: any RandomNumberGenerator & Sendable

  /// Takes them from elsewhere.
  public init(
    now: @escaping @Sendable () -> Int64, random: any RandomNumberGenerator & Sendable
  ) {
    self.now = now
    self.random = random
  }

  /// The system's clock and random numbers.
  public static var system: SyncEnvironment {
    SyncEnvironment(now: { Date().milliseconds }, random: SystemRandomNumberGenerator())
  }
}
