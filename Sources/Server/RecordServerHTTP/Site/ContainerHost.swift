public import AssetFiles
public import RecordServer

/// One container that is served: its records in both environments, and who waits for changes.
public final class ContainerHost: Sendable {
  /// One environment of a container, as whoever runs the server has opened it.
  public struct Storage: Sendable {
    /// Where its records are.
    public var records: any RecordStorage
    /// Where its files are; nil for a server without assets.
    public var files: AssetFolder?

    /// Describes an environment's storage.
    public init(_ records: any RecordStorage, files: AssetFolder? = nil) {
      self.records = records
      self.files = files
    }
  }

  /// The container's name.
  public let name: String
  /// Development, where saves make the schema grow.
  public let development: RecordService
  /// Production, which holds what was promoted.
  public let production: RecordService
  /// The schema of both.
  public let schemas: ContainerSchemas

  let developmentChanges: ChangeHub
  let productionChanges: ChangeHub
  private let developmentFiles: AssetFolder?
  private let productionFiles: AssetFolder?

  /// Serves a container out of two storages.
  public init(
    _ name: String, development: Storage, production: Storage,
    assets: AssetSetting? = nil, limits: ServiceLimits = ServiceLimits()
  ) {
    self.name = name
    let (inDevelopment, inProduction) = (ChangeHub(), ChangeHub())
    developmentChanges = inDevelopment
    productionChanges = inProduction
    developmentFiles = development.files
    productionFiles = production.files
    let (developmentChores, productionChores) = (ChoreRunner(), ChoreRunner())
    let (developmentService, productionService) = (LateService(), LateService())
    self.development = RecordService(
      .development, storage: development.records, limits: limits,
      assets: development.files == nil ? nil : assets, committed: { inDevelopment.changed($0) },
      choresWait: { developmentService.service.map(developmentChores.poke) })
    self.production = RecordService(
      .production, storage: production.records, limits: limits,
      assets: production.files == nil ? nil : assets, committed: { inProduction.changed($0) },
      choresWait: { productionService.service.map(productionChores.poke) })
    developmentService.set(self.development)
    productionService.set(self.production)
    schemas = ContainerSchemas(
      name, development: self.development, production: self.production)
  }

  /// Completes what an end of the process has cut: a promotion, indexes that were being filled.
  public func settle() async throws {
    try await schemas.settle()
    for service in [development, production] { service.choresMayWait() }
  }

  /// Forgets what was deleted before `moment`; tells in how many zones.
  public func dropTombstones(madeBefore moment: Int64) async throws -> Int {
    let zones = try await development.dropTombstones(madeBefore: moment)
    return try await zones + production.dropTombstones(madeBefore: moment)
  }

  /// Removes files that no record has any more; tells how many.
  public func sweepFiles(now: Int64) async throws -> Int {
    var removed = 0
    for (service, files) in [(development, developmentFiles), (production, productionFiles)] {
      guard let files else { continue }
      let outcome = try await AssetSweep(service.storage, files).run(now: now)
      removed += outcome.forgotten + outcome.orphans
    }
    return removed
  }

  func service(_ environment: SchemaEnvironment) -> RecordService {
    environment == .development ? development : production
  }

  func changes(_ environment: SchemaEnvironment) -> ChangeHub {
    environment == .development ? developmentChanges : productionChanges
  }

  func files(_ environment: SchemaEnvironment) -> AssetFolder? {
    environment == .development ? developmentFiles : productionFiles
  }
}
