/// The two halves of a container: where developers try things, and what everyone uses.
public enum SchemaEnvironment: String, Hashable, Sendable, CaseIterable {
  /// Saves create what they name.
  case development
  /// Only a promotion adds anything.
  case production
}
