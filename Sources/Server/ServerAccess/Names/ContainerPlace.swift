/// An environment of a container: what every user's role, token and key belongs to.
public struct ContainerPlace: Hashable, Sendable, CustomStringConvertible {
  /// The container's name, such as `iCloud.org.example.notes`.
  public var container: String
  /// The environment's name, such as `production`.
  public var environment: String

  /// Names a place.
  public init(container: String, environment: String) {
    self.container = container
    self.environment = environment
  }

  /// Container and environment, as people write them.
  public var description: String { "\(container)/\(environment)" }

  func checked() throws(AccountError) -> ContainerPlace {
    try NameRule.container.check(container)
    try NameRule.environment.check(environment)
    return self
  }
}
