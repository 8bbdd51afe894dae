package import RecordWire

/// The schema of a container whose environments have a storage each.
///
/// Development's storage holds what counts; production's has a copy, which is written after it. Whatever
/// a crash leaves between the two writes, `settle` completes, and until then production only lacks what
/// was promoted last: it never has anything that development does not know of.
public struct ContainerSchemas: Sendable {
  private let name: String
  private let development: RecordService
  private let production: RecordService

  /// Looks after the schema of a container.
  public init(_ name: String, development: RecordService, production: RecordService) {
    self.name = name
    self.development = development
    self.production = production
  }

  /// Completes a promotion that a crash has cut, and makes up for a storage that was restored from an
  /// older backup; to be called before anything is served.
  public func settle() async throws {
    let ours = try await Self.stored(in: development)
    let copy = try await Self.stored(in: production)
    switch (ours, copy) {
    case (let ours?, let copy?) where copy.lastAct > ours.lastAct:
      try await keepInDevelopment(copy)
    case (let ours?, _): try await copyToProduction(ours)
    case (nil, let copy?): try await keepInDevelopment(copy)
    case (nil, nil): break
    }
  }

  /// Carries out what somebody asks for who manages the schema.
  package func run(
    _ verb: ManagementVerb, body: [UInt8], query: String?, mark: AuditMark, uuid: String
  ) async throws -> ManagementOutcome {
    let (name, service) = (name, development)
    let outcome = try await development.storage.write { transaction in
      let schema = try service.schemas.current(in: transaction).container
      let run = ManagementRun(container: name, schema: schema, mark: mark, uuid: uuid)
      let outcome = try run.run(verb, body: body, query: query)
      guard let next = outcome.schema else { return outcome }
      if outcome.deletesDevelopmentRecords { try transaction.deleteAllZones(at: mark.milliseconds) }
      try transaction.setSchema(try next.stored(), version: next.version)
      if let work = outcome.indexes[.development] {
        try Self.beginIndexes(work, next.resolved(.development), transaction)
      }
      return outcome
    }
    if let next = outcome.schema {
      development.schemas.keep(CurrentSchema(next, .development))
      if outcome.indexes[.production] != nil {
        try await copyToProduction(next)
      }
      for service in [development, production] { service.choresWait() }
    }
    return outcome
  }

  private func copyToProduction(_ schema: ContainerSchema) async throws {
    guard schema.lastAct > 0 else { return }
    let stored = try schema.stored()
    let isCopied = try await production.storage.write { transaction in
      let copy = try transaction.schema().map { try ContainerSchema(stored: $0) }
      // Of two acts at the same time the later one may have been copied first.
      if let copy, copy.lastAct >= schema.lastAct { return false }
      try transaction.setSchema(stored, version: schema.version)
      let known = copy?.production ?? ContainerSchema().production
      try Self.beginIndexes(
        IndexWork(from: known, to: schema.production), schema.resolved(.production), transaction)
      return true
    }
    if isCopied { production.schemas.keep(CurrentSchema(schema, .production)) }
  }

  /// Notes what is to do for the indexes, and does it at once where that is little.
  private static func beginIndexes(
    _ work: IndexWork, _ schema: ResolvedSchema, _ transaction: any StorageTransaction
  ) throws {
    let filling = IndexFilling(schema, in: transaction)
    try filling.begin(work)
    _ = try filling.step()
  }

  /// Takes production's copy for development, which knows less than was promoted.
  private func keepInDevelopment(_ copy: ContainerSchema) async throws {
    let stored = try copy.stored()
    try await development.storage.write { try $0.setSchema(stored, version: copy.version) }
  }

  private static func stored(in service: RecordService) async throws -> ContainerSchema? {
    try await service.storage.read { transaction in
      try transaction.schema().map { try ContainerSchema(stored: $0) }
    }
  }
}

extension ContainerSchema {
  /// The number of the last act of somebody who manages the schema; 0 before the first.
  fileprivate var lastAct: Int64 { audit.last?.number ?? 0 }
}
