import Synchronization

/// The containers of a server by their names.
public final class ContainerDirectory: Sendable {
  private let hosts: Mutex<[String: ContainerHost]>

  /// Knows these containers.
  public init(_ hosts: [ContainerHost]) {
    self.hosts = Mutex(
      Dictionary(hosts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }))
  }

  /// The container of that name.
  public subscript(name: String) -> ContainerHost? { hosts.withLock { $0[name] } }

  /// The names, in order.
  public var names: [String] { hosts.withLock { $0.keys.sorted() } }

  /// Every container.
  public var all: [ContainerHost] {
    hosts.withLock { hosts in hosts.keys.sorted().compactMap { hosts[$0] } }
  }

  /// Serves another container from now on; one of that name stays.
  public func add(_ host: ContainerHost) {
    hosts.withLock { hosts in
      if hosts[host.name] == nil { hosts[host.name] = host }
    }
  }
}
