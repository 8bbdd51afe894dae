public import RecordServer

/// One container that is served: its records in both environments, and who waits for changes.
public final class ContainerHost: Sendable {
  /// The container's name.
  public let name: String
  /// Development, where saves make the schema grow.
  public let development: RecordService
  /// Production, which holds what was promoted.
  public let production: RecordService

  let developmentChanges: ChangeHub
  let productionChanges: ChangeHub

  /// Serves a container out of two storages.
  public init(
    _ name: String, development: any RecordStorage, production: any RecordStorage,
    limits: ServiceLimits = ServiceLimits()
  ) {
    self.name = name
    let (inDevelopment, inProduction) = (ChangeHub(), ChangeHub())
    developmentChanges = inDevelopment
    productionChanges = inProduction
    self.development = RecordService(
      .development, storage: development, limits: limits,
      committed: { inDevelopment.changed($0) })
    self.production = RecordService(
      .production, storage: production, limits: limits, committed: { inProduction.changed($0) })
  }

  func service(_ environment: SchemaEnvironment) -> RecordService {
    environment == .development ? development : production
  }

  func changes(_ environment: SchemaEnvironment) -> ChangeHub {
    environment == .development ? developmentChanges : productionChanges
  }
}
