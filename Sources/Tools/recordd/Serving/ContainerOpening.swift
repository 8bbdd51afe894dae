import RecordServer
import RecordServerHTTP

/// Opens containers of a data folder, all in the same way.
struct ContainerOpening: Sendable {
  let folder: DataFolder
  let seal: Seal
  let url: String
  let limits: ServiceLimits

  /// A container with the storages of both environments.
  func host(_ name: String) throws -> ContainerHost {
    ContainerHost(
      name, development: try folder.storage(name, .development),
      production: try folder.storage(name, .production),
      assets: AssetSetting(container: name, seal: seal, places: AssetPlaces(baseURL: url)),
      limits: limits)
  }
}
