package import RecordWire

/// Carries out what somebody who manages a container's schema asks for: pure, so that the caller stores what
/// comes out in the transaction in which it read the schema.
///
/// The operations, their paths and which of them need a token that may write are `ManagementEndpoint.rows`.
package struct ManagementRun: Sendable {
  /// The container's name, which a reset has to repeat.
  package var container: String
  /// The schema as it is.
  package var schema: ContainerSchema
  /// Who asks, and when.
  package var mark: AuditMark
  /// The name of the request, for the server's log; it is told with what is refused.
  package var uuid: String?

  package init(
    container: String, schema: ContainerSchema, mark: AuditMark, uuid: String? = nil
  ) {
    self.container = container
    self.schema = schema
    self.mark = mark
    self.uuid = uuid
  }

  /// Does what is asked, or says why the request makes no sense.
  ///
  /// A plan that is refused is no such failure: its answer has the status 409, and all the reasons.
  package func run(
    _ verb: ManagementVerb, body: [UInt8] = [], query: String? = nil
  ) throws(RequestFailure) -> ManagementOutcome {
    do {
      guard let act = Self.acts[verb] else { throw RequestFailure(.notFound) }
      return try act(self, ManagementInput(body: body, query: query))
    } catch var failure as RequestFailure {
      failure.uuid = uuid
      throw failure
    } catch let error as WireError {
      var failure = error.requestFailure
      failure.uuid = uuid
      throw failure
    } catch {
      throw RequestFailure(.internalError, reason: "\(error)", uuid: uuid)
    }
  }

  /// What each verb does.
  private static let acts:
    [ManagementVerb: @Sendable (ManagementRun, ManagementInput) throws -> ManagementOutcome] = [
      .export: { try $0.export($1) },
      .validate: { try $0.validate($1) },
      .import: { try $0.importText($1) },
      .diff: { try $0.diff($1) },
      .promote: { try $0.promote($1) },
      .reset: { try $0.reset($1) },
      .audit: { run, _ in ManagementOutcome(run.auditList) },
    ]
}

/// What comes with a request.
struct ManagementInput {
  var body: [UInt8]
  var query: String?

  /// The environment that the query names.
  func environment() throws(RequestFailure) -> ContainerEnvironment {
    let key = ManagementEndpoint.environmentKey
    let items = (query ?? "").split(separator: "&").map {
      $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    }
    let word = items.last { $0.first.map { $0 == key } ?? false }.flatMap { $0.dropFirst().first }
    guard let environment = word.flatMap({ ContainerEnvironment(rawValue: String($0)) }) else {
      throw RequestFailure(
        .badRequest,
        reason: "BadRequestException: expected \(key)=development or \(key)=production in the query"
      )
    }
    return environment
  }
}

/// What is to be answered, and what is to be stored.
package struct ManagementOutcome: Sendable {
  /// The body of the answer.
  package var answer: any WireResponse
  /// The HTTP status of the answer.
  package var status = 200
  /// The container's next schema; nil when it stays as it is.
  package var schema: ContainerSchema?
  /// What is left to do for the indexes of each environment's records.
  package var indexes: [SchemaEnvironment: IndexWork] = [:]
  /// Whether every record of development is to be deleted together with this.
  package var deletesDevelopmentRecords = false

  init(_ answer: any WireResponse) { self.answer = answer }
}
