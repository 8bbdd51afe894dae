import HTTPServer
import RecordServer
import RecordWire

/// One kind of route, and what answers it.
struct ServedRoute: Sendable {
  let serves: @Sendable (Route) -> Bool
  let reply: @Sendable (RecordSite, RequestFacts, KnownRoute) throws -> Reply

  /// A route that answers some requests without waiting.
  init(
    serves: @escaping @Sendable (Route) -> Bool,
    reply: @escaping @Sendable (RecordSite, RequestFacts, KnownRoute) throws -> Reply
  ) {
    self.serves = serves
    self.reply = reply
  }

  /// A route whose every request may have to wait.
  init(
    serves: @escaping @Sendable (Route) -> Bool,
    answer: @escaping @Sendable (RecordSite, RequestFacts, Route) async throws -> Answer
  ) {
    self.init(
      serves: serves,
      reply: { site, facts, known in .later { try await answer(site, facts, known.route) } })
  }

  /// Every kind.
  static let rows: [ServedRoute] = [
    OperationRoute.row, DeviceRoute.row, AssetRoute.row, ManagementRoute.row, BeyondRoute.row,
    PageRoute.row,
  ]
}

/// An answer, or how it comes about.
enum Reply: Sendable {
  case now(Answer)
  case later(@Sendable () async throws -> Answer)
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
