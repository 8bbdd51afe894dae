/// Which callers may ask for what at all; grants decide the rest.
enum AccessMatrix {
  enum Answer: Hashable, Sendable {
    case allowed
    /// A user would be allowed.
    case needsUser
    case denied
  }

  static func answer(_ kind: CallerKind, _ scope: AccessScope) -> Answer {
    switch (kind, scope) {
    case (_, .everyone): .allowed
    case (.user, .user), (.user, .shared), (.user, .identity): .allowed
    case (.anonymous, .user), (.anonymous, .shared), (.anonymous, .identity): .needsUser
    case (.key, .user), (.key, .shared), (.key, .identity): .denied
    }
  }
}
