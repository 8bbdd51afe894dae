/// Which callers may ask for what at all; grants decide the rest.
enum AccessMatrix {
  enum Answer: Hashable, Sendable {
    case allowed
    /// A user would be allowed.
    case needsUser
    case denied
  }

  static func answer(_ kind: CallerKind, _ scope: AccessScope) -> Answer {
    rows[kind]?[scope] ?? .denied
  }

  private static let rows: [CallerKind: [AccessScope: Answer]] = [
    .anonymous: [
      .everyone: .allowed, .user: .needsUser, .shared: .needsUser, .identity: .needsUser,
    ],
    .user: [.everyone: .allowed, .user: .allowed, .shared: .allowed, .identity: .allowed],
    .key: [.everyone: .allowed, .user: .denied, .shared: .denied, .identity: .denied],
  ]
}
