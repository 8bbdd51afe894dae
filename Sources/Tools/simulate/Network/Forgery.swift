import RecordWire
import SyncClient
import SyncCore

/// An answer that does not come from the server core: every way in which a server may refuse.
enum Forgery {
  /// The request fails as a whole.
  case whole(RequestFailure)
  /// One operation of a push fails, at this place; in an atomic request the others fail with it.
  case item(RequestFailure, at: Int)
  /// A page of some proxy's.
  case page(status: Int)

  /// A code that no table has.
  static let unknownCode = ErrorCode(rawValue: "SOLAR_FLARE")

  /// What is answered to `call`.
  func reply(to call: SyncCall) -> SyncReply {
    switch self {
    case .whole(let failure): return Self.reply(failure)
    case .page(let status):
      return SyncReply(status: status, body: Array("<html>no</html>".utf8))
    case .item(let failure, let place):
      guard let request = try? ModifyRequest(json: call.body, limits: .response),
        !request.operations.isEmpty
      else { return Self.reply(failure) }
      let culprit = place % request.operations.count
      let results = request.operations.enumerated().map { index, operation in
        let subject = ItemFailure.Subject.record(operation.record.recordName ?? "")
        return RecordResult.failure(
          ItemFailure(subject, index == culprit ? failure : RequestFailure(.atomicError)))
      }
      let body = (try? RecordsResponse(records: results).json()) ?? []
      return SyncReply(status: 200, body: body)
    }
  }

  static func reply(_ failure: RequestFailure) -> SyncReply {
    SyncReply(
      status: failure.status, body: (try? failure.json()) ?? [], retryAfter: failure.retryAfter)
  }
}

extension Forgery {
  /// Draws a refusal of a whole request, with none of the codes `untrue`.
  static func whole(_ random: inout SeededRandom, but untrue: Set<ErrorCode>) -> Forgery {
    if random.chance(150) { return .page(status: random.pick([404, 500, 502, 503]) ?? 500) }
    return .whole(failure(&random, untrue))
  }

  /// Draws a refusal of one operation.
  static func item(_ random: inout SeededRandom, but untrue: Set<ErrorCode>) -> Forgery {
    // What says that a record is not there would be a lie, and a deletion would be taken for done.
    .item(failure(&random, untrue.union([.notFound])), at: random.int(0...199))
  }

  /// Draws a refusal of one operation that no other attempt changes.
  static func final(_ random: inout SeededRandom) -> Forgery {
    let code = random.pick([ErrorCode.accessDenied, .badRequest]) ?? .accessDenied
    return .item(RequestFailure(code), at: random.int(0...199))
  }

  private static func failure(
    _ random: inout SeededRandom, _ untrue: Set<ErrorCode>
  ) -> RequestFailure {
    // Most failures are of the kinds that pass.
    let passing: [ErrorCode] = [
      .throttled, .tryAgainLater, .internalError, unknownCode, unknownCode,
    ]
    let codes = ErrorCode.rows.map(\.code).filter { !untrue.contains($0) }
    let code = (random.chance(600) ? random.pick(passing) : random.pick(codes)) ?? .tryAgainLater
    let seconds: Int64? = random.chance(400) ? Int64(random.int(1...40)) : nil
    return RequestFailure(code, retryAfter: code.row?.isTransient == true ? seconds : nil)
  }
}
