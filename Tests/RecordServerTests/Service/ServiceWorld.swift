import RecordWire
import Synchronization

@testable import RecordServer

/// A service with a user, a clock and names that count, for tests that speak in messages.
final class ServiceWorld: Sendable {
  let service: RecordService
  private let count = Mutex<Int64>(0)

  init(
    _ storage: any RecordStorage = MemoryStorage(epoch: 7),
    _ environment: SchemaEnvironment = .development, limits: ServiceLimits = ServiceLimits()
  ) {
    service = RecordService(environment, storage: storage, limits: limits)
  }

  /// What is answered to a body: a message, or the failure of the whole request.
  func ask(
    _ path: String, _ body: String, _ scope: DatabaseScope = .private, as user: String? = "_ann"
  ) async -> String {
    await ask(scope, user) { service, call in
      try await service.answer(path, call, body: Array(body.utf8))
    }
  }

  /// What is answered to a body by an extension of the protocol.
  func askExtension(
    _ path: String, _ body: String, _ scope: DatabaseScope = .private, as user: String? = "_ann"
  ) async -> String {
    await ask(scope, user) { service, call in
      try await service.answerExtension(path, call, body: Array(body.utf8))
    }
  }

  private func ask(
    _ scope: DatabaseScope, _ user: String?,
    _ answer: (RecordService, ServiceCall) async throws -> [UInt8]
  ) async -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    let source = FreshSource(
      recordName: { "NEW-\(number)" }, epoch: { UInt64(number) })
    let call = ServiceCall(
      scope, caller: RecordCaller(user: user), now: number * 1000, source: source)
    do {
      return String(decoding: try await answer(service, call), as: UTF8.self)
    } catch {
      return "\(error)"
    }
  }

  /// Makes zones of Ann.
  func makeZones(_ names: String...) async {
    let operations = names.map {
      #"{"operationType":"create","zone":{"zoneID":{"zoneName":"\#($0)"}}}"#
    }
    _ = await ask("zones/modify", #"{"operations":[\#(operations.joined(separator: ","))]}"#)
  }

  /// Saves notes with a text in the zone Notes of Ann, as one commit.
  func save(_ notes: [(name: String, text: String)]) async -> String {
    let operations = notes.map {
      #"{"operationType":"forceUpdate","record":{"recordName":"\#($0.name)","recordType":"Note","#
        + #""fields":{"text":{"value":"\#($0.text)","type":"STRING"}}}}"#
    }
    return await ask(
      "records/modify",
      #"{"zoneID":{"zoneName":"Notes"},"operations":[\#(operations.joined(separator: ","))]}"#)
  }
}

extension String {
  /// The values of every string under a key of a message, in their order.
  func values(of key: String) -> [String] {
    // Keys and values of these messages hold no quotes: every part between two is one or the other.
    let parts = split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
    let places = parts.indices.dropLast(2).filter { parts[$0] == key && parts[$0 + 1] == ":" }
    return places.map { parts[$0 + 2] }
  }
}
