import HTTPServer
import JSONStream
import RecordWire

/// What became of a request, before it is an HTTP response.
struct Answer: Sendable {
  /// The response.
  var response: HTTPResponse
  /// The code of the protocol's error, for log and metrics; nil where all went well.
  var code: ErrorCode?
  /// What went wrong inside, for the log alone.
  var detail: String?

  /// A JSON body.
  static func json(_ body: [UInt8], status: HTTPStatus = .ok) -> Answer {
    Answer(
      response: HTTPResponse(status: status, headers: ["Content-Type": jsonType], body: body))
  }

  /// A text of some type.
  static func text(
    _ text: String, type: String = "text/plain; charset=utf-8", status: HTTPStatus = .ok
  ) -> Answer {
    Answer(
      response: HTTPResponse(
        status: status, headers: ["Content-Type": type], body: Array(text.utf8))
    )
  }

  /// The failure of a whole request.
  static func failure(_ failure: RequestFailure, id: String) -> Answer {
    var named = failure
    named.uuid = id
    // What a request brought is in the reason, and a reason is always JSON that can be written.
    let body = (try? named.json()) ?? Array(#"{"serverErrorCode":"INTERNAL_ERROR"}"#.utf8)
    var answer = json(body, status: HTTPStatus(failure.status))
    if let seconds = failure.retryAfter {
      answer.response.headers.append("Retry-After", String(seconds))
    }
    answer.code = failure.code
    return answer
  }

  /// The answer to a method that the path does not know, with those that it does.
  static func failure(_ error: MethodNotAllowed, id: String) -> Answer {
    let names = error.allowed.map(\.rawValue).joined(separator: ", ")
    var answer = failure(
      RequestFailure(.badRequest, reason: "this path answers \(names)"), id: id)
    answer.response.status = .methodNotAllowed
    answer.response.headers.append("Allow", names)
    return answer
  }

  /// Any error: what is none of the protocol's is told to nobody but the log.
  static func failure(_ error: any Error, id: String) -> Answer {
    if let known = error as? RequestFailure { return failure(known, id: id) }
    if let method = error as? MethodNotAllowed { return failure(method, id: id) }
    var answer = failure(RequestFailure(.internalError), id: id)
    answer.detail = "\(error)"
    return answer
  }

  /// What is said where there is nothing.
  static func nothing(_ facts: RequestFacts) -> Answer {
    .failure(RequestFailure(.notFound, reason: "there is nothing at this path"), id: facts.id)
  }

  private static let jsonType = "application/json; charset=UTF-8"
}
