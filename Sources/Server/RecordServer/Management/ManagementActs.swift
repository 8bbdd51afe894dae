import DataModel
import RecordWire
import SchemaFormats
import SchemaLint

// What each verb of the management API does.
extension ManagementRun {
  func export(_ input: ManagementInput) throws -> ManagementOutcome {
    let environment = try input.environment()
    let text = try schema.exported(SchemaEnvironment(environment))
    return ManagementOutcome(
      SchemaExportResponse(schema: text, environment: environment, version: schema.version))
  }

  func validate(_ input: ManagementInput) throws -> ManagementOutcome {
    let request = try SchemaTextRequest(json: input.body)
    let plan = schema.planImport(Array(request.schema.utf8), file: request.file)
    return ManagementOutcome(SchemaPlanResponse(plan))
  }

  func importText(_ input: ManagementInput) throws -> ManagementOutcome {
    let request = try SchemaTextRequest(json: input.body)
    let outcome = schema.importing(Array(request.schema.utf8), file: request.file, by: mark)
    return ManagementOutcome(outcome, refusedAs: "imported", uuid: uuid)
  }

  func promote(_ input: ManagementInput) throws -> ManagementOutcome {
    let request = try SchemaPromoteRequest(json: input.body)
    let accepted = Set(request.accept)
    if request.isDryRun {
      return ManagementOutcome(SchemaPlanResponse(schema.planPromotion(accepting: accepted)))
    }
    let outcome = schema.promoting(accepting: accepted, by: mark)
    return ManagementOutcome(outcome, refusedAs: "promoted", uuid: uuid)
  }

  func reset(_ input: ManagementInput) throws -> ManagementOutcome {
    let request = try SchemaResetRequest(json: input.body)
    if request.isDryRun { return ManagementOutcome(SchemaPlanResponse(schema.planReset())) }
    // Swift finds names equal that are spelled with other bytes.
    guard let confirmed = request.confirm, confirmed.utf8.elementsEqual(container.utf8) else {
      throw RequestFailure(
        .badRequest,
        reason: "BadRequestException: a reset deletes every record of development; send the "
          + "container's name as 'confirm'")
    }
    return ManagementOutcome(schema.resetting(by: mark), refusedAs: "reset", uuid: uuid)
  }

  func diff(_ input: ManagementInput) throws -> ManagementOutcome {
    let request = try SchemaDiffRequest(json: input.body)
    let next = try target(of: request)
    let changes = DataModel.diff(schema[SchemaEnvironment(request.from)], next.schema)
    return ManagementOutcome(
      SchemaDiffResponse(
        from: request.from.rawValue, to: next.label, version: schema.version,
        changes: changes.map { SchemaChangeLine($0) }))
  }

  /// What a diff comes to: a text with what every server adds to it, or an environment.
  private func target(
    of request: SchemaDiffRequest
  ) throws -> (schema: RecordSchema, label: String) {
    guard let text = request.schema else {
      return (schema[SchemaEnvironment(request.to)], request.to.rawValue)
    }
    do {
      let document = try CKDB.read(Array(text.utf8), file: request.file, label: request.file)
      guard case .records(let records) = document.content else {
        throw RequestFailure(.badRequest, reason: "BadRequestException: expected record types")
      }
      return (records.completed, request.file)
    } catch let error as SchemaFormatError {
      throw RequestFailure(
        .badRequest,
        reason: "BadRequestException: \(error.location): expected \(error.expected), found "
          + error.found)
    }
  }

  var auditList: SchemaAuditResponse {
    SchemaAuditResponse(
      entries: schema.audit.map { entry in
        SchemaAuditLine(
          number: entry.number, act: entry.act.rawValue, name: entry.mark.name,
          timestamp: entry.mark.milliseconds, version: entry.version, changes: entry.changes,
          accepted: entry.accepted)
      })
  }
}

extension SchemaEnvironment {
  /// The environment that a message names.
  init(_ named: ContainerEnvironment) {
    switch named {
    case .development: self = .development
    case .production: self = .production
    }
  }

  /// The environment as messages name it.
  var named: ContainerEnvironment {
    switch self {
    case .development: .development
    case .production: .production
    }
  }
}

extension ManagementOutcome {
  /// What came of an act.
  init(_ outcome: SchemaOutcome, refusedAs verb: String, uuid: String?) {
    var answer = SchemaPlanResponse(outcome.plan)
    answer.isChanged = outcome.isChanged
    answer.version = outcome.schema.version
    if let first = answer.refusals.first {
      let others = answer.refusals.count - 1
      answer.failure = RequestFailure(
        .conflict,
        reason: "the schema was not \(verb): \(first.line)"
          + (others > 0 ? ", and \(others) more" : ""), uuid: uuid)
    }
    self.init(answer)
    status = answer.status
    guard outcome.isChanged else { return }
    schema = outcome.schema
    indexes = [outcome.plan.environment: outcome.plan.indexes]
    deletesDevelopmentRecords = outcome.plan.deletesAllRecords
  }
}

extension SchemaPlanResponse {
  /// A plan that nobody has carried out.
  init(_ plan: SchemaPlan) {
    self.init(
      environment: plan.environment.named, versionBefore: plan.version, version: plan.version)
    // Only an import reads a file; a promotion's places would be in none.
    let hasFile = plan.environment == .development
    changes = plan.changes.map { SchemaChangeLine($0) }
    kept = plan.kept.map { SchemaChangeLine($0) }
    discarded = plan.discarded.map(\.description)
    deletesAllRecords = plan.deletesAllRecords
    findings = plan.findings.map { finding in
      SchemaFindingLine(
        rule: finding.rule, severity: finding.severity.rawValue, subject: finding.subject,
        message: finding.message, why: finding.why, fix: finding.fix,
        place: hasFile ? finding.location.description : nil)
    }
    accepted = plan.accepted
    refusals = plan.refusals.map { refusal in
      SchemaRefusalLine(
        code: refusal.code.rawValue, subject: refusal.subject.description,
        message: refusal.message, fix: refusal.fix, place: hasFile ? refusal.place : nil)
    }
  }
}

extension SchemaRefusalLine {
  /// Place, message and code in one line.
  fileprivate var line: String { (place.map { "\($0): " } ?? "") + "\(message) [\(code)]" }
}
