import HTTPServer
import RecordServer
import RecordWire

/// One kind of route, and what answers it.
struct ServedRoute: Sendable {
  let serves: @Sendable (Route) -> Bool
  let answer: @Sendable (RecordSite, RequestFacts, Route) async throws -> Answer

  /// Every kind.
  static let rows: [ServedRoute] = [
    OperationRoute.row, DeviceRoute.row, AssetRoute.row, ManagementRoute.row, BeyondRoute.row,
    PageRoute.row,
  ]
}

extension RequestFacts {
  /// Throws unless the method is one of these.
  func check(_ methods: [HTTPMethod]) throws(MethodNotAllowed) {
    if !methods.contains(request.method) { throw MethodNotAllowed(allowed: methods) }
  }
}

/// A request by a method that the path does not know.
struct MethodNotAllowed: Error {
  let allowed: [HTTPMethod]
}
