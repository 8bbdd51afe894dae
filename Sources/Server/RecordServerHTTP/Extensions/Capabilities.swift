import RecordServer
import RecordWire

/// What a client is told that asks what this server has beyond the protocol.
struct Capabilities {
  let configuration: SiteConfiguration
  let limits: ServiceLimits

  init(_ configuration: SiteConfiguration, _ limits: ServiceLimits) {
    self.configuration = configuration
    self.limits = limits
  }

  /// The extensions that there are, in order.
  static let extensions = [
    "batch", "changeStream", "changeWait", "gzip", "pageBytes", "pushTokens", "schemaCheck",
    "tombstones", "versionFilter", "zoneDigest",
  ]

  var message: CapabilitiesResponse {
    var answer = CapabilitiesResponse(server: "recordd", extensions: Self.extensions)
    answer.requestBytesMax = configuration.bodyBytesMax
    answer.operationsMax = WireLimits.request.itemsMax
    answer.batchOperationsMax = WireLimits.request.batchItemsMax
    answer.pageRecordsMax = limits.pageRecordsMax
    answer.bulkPageRecordsMax = limits.bulkPageRecordsMax
    answer.pageBytesMax = limits.pageBytesMax
    answer.assetBytesMax = configuration.assetBytesMax
    return answer
  }
}
