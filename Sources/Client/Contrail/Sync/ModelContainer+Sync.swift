import ObjectStore
public import SyncClient

extension ModelContainer {
  /// The engine that keeps a store of the container and its record server alike.
  ///
  /// ```swift
  /// let engine = try container.syncEngine()
  /// let summary = try await engine.sync()   // pushed 3, pulled 12, merged 1, pending 0, parked 0, failed 0
  /// ```
  ///
  /// It sends what contexts have saved. What it merges is in every context and in every observer of results
  /// at once, as what another context saves; its transactions have the author `SyncAuthor.name`. It does
  /// nothing before `sync()` or `start()` is called, and for as long as somebody holds it, the same one is
  /// given each time; after its `stop()` another one is.
  ///
  /// A store in memory is mirrored too: it begins as a new device each time.
  ///
  /// - Parameters:
  ///   - name: The configuration whose store is meant; not needed where one alone has a target.
  ///   - credentials: Who the program and the user are, in place of what the target says.
  ///   - transport: What carries requests, in place of HTTP to the target's server: for tests, for example.
  ///   - adjust: Changes what is usual: policies for trouble, waits, rules for merging.
  /// - Returns: An engine that does nothing yet, or the one that somebody holds.
  /// - Throws: `SyncError` where no target, or more than one, is meant, where the store cannot be changed or
  ///   somebody else mirrors it, and where there are no credentials; `UnsyncableSchema` where `adjust` makes
  ///   fields that the models have.
  public func syncEngine(
    for name: String? = nil, credentials: SyncCredentials? = nil,
    transport: (any RecordTransport)? = nil,
    adjust: ((inout SyncConfiguration) -> Void)? = nil
  ) throws -> SyncEngine {
    let (place, target) = try core.syncPlace(name)
    let configuration = core.configurations[place]
    var asked = target.configuration
    // The program's own code, which may ask for engines itself.
    adjust?(&asked)
    return try core.engines.engine(place) { existing in
      if let existing {
        guard credentials == nil, transport == nil, adjust == nil else {
          throw SyncError(
            .busy, configuration.name, "has an engine already, which was made otherwise",
            fix: "stop that one first: await engine.stop()")
        }
        return existing
      }
      guard configuration.allowsSave else {
        throw SyncError(
          .readOnly, configuration.name, "may not be changed, so nothing can be merged into it",
          fix: "leave out allowsSave: false, or mirror the store where it may be changed")
      }
      return try SyncEngine(
        core.stores.stores[place], asked,
        transport: transport ?? target.transport(asked, credentials ?? target.credentials))
    }
  }

  /// The engines of all stores that are mirrored, by the names of their configurations.
  public func syncEngines() throws -> [String: SyncEngine] {
    var engines: [String: SyncEngine] = [:]
    for configuration in core.configurations where configuration.sync != nil {
      engines[configuration.name] = try syncEngine(for: configuration.name)
    }
    return engines
  }
}

extension ContainerCore {
  /// Which store is meant, and where it is mirrored to.
  func syncPlace(_ name: String?) throws(SyncError) -> (place: Int, target: SyncTarget) {
    let all = configurations.indices
    let asked = all.filter { name == nil || configurations[$0].name == name }
    let synced = asked.filter { configurations[$0].sync != nil }
    if let place = synced.first, synced.count == 1, let target = configurations[place].sync {
      return (place, target)
    }
    if synced.count > 1 {
      let names = synced.map { configurations[$0].name }
      throw SyncError(
        .severalTargets, "the container", "has several stores that are mirrored",
        fix: "name one of \(names.joined(separator: ", ")): syncEngine(for: \"\(names[0])\")")
    }
    if let name, asked.isEmpty {
      let names = all.map { configurations[$0].name }
      throw SyncError(
        .noTarget, name, "is not the name of one of the container's configurations",
        fix: "name one of \(names.joined(separator: ", "))")
    }
    throw noTarget(asked.first.map { configurations[$0] })
  }

  private func noTarget(_ configuration: ModelConfiguration?) -> SyncError {
    let container = configuration?.cloudKitContainerIdentifier ?? "org.example.log"
    return SyncError(
      .noTarget, configuration?.name ?? "the container", "does not say where its records are",
      fix: "name the server in the configuration: "
        + "sync: .recordServer(\"https://host\", container: \"\(container)\")")
  }
}

extension FailedChange {
  /// The model that was changed; nil where there is none: the change is of a relationship alone, or the model
  /// was deleted elsewhere.
  public var persistentModelID: PersistentIdentifier? { object.map { PersistentIdentifier($0) } }
}
