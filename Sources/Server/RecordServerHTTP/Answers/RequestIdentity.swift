/// Makes the names of requests: UUIDs whose first half tells the process, and whose second counts.
///
/// Clients show them when something went wrong, and the log has them too.
struct RequestIdentity: Sendable {
  private let process: UInt64

  /// Begins with a number that no other process has.
  init(process: UInt64) { self.process = process }

  /// The name of the request with that number.
  func name(_ number: UInt64) -> String { UUIDText.lowerCase(process, number) }
}
