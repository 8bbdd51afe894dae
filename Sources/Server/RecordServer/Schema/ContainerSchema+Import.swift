import DataModel
package import SchemaFormats
import SchemaLint

extension ContainerSchema {
  /// An environment's schema as the text of a `.ckdb` file, in the layout of CloudKit's own export.
  package func exported(_ environment: SchemaEnvironment) throws(UnwritableSchema) -> String {
    try CKDB.text(of: self[environment])
  }

  /// What an import of a `.ckdb` file into development would do.
  ///
  /// The file replaces development: what it leaves out is removed, unless production has it; then
  /// the whole file is refused, and so it is where a type differs from production's. This is how
  /// CloudKit validates a schema.
  package func planImport(_ bytes: [UInt8], file: String) -> SchemaPlan {
    do throws(SchemaFormatError) {
      return planImport(try CKDB.read(bytes, file: file, label: "development"))
    } catch {
      var plan = SchemaPlan(.development, of: self, candidate: development)
      plan.refusals = [SchemaRefusal(error)]
      return plan
    }
  }

  private func planImport(_ document: SchemaDocument) -> SchemaPlan {
    guard case .records(let schema) = document.content else {
      return SchemaPlan(.development, of: self, candidate: development)
    }
    var document = document
    let candidate = schema.completed
    document.content = .records(candidate)
    var plan = SchemaPlan(.development, of: self, candidate: candidate)
    plan.findings = SchemaGate.findings(
      in: document, against: production, rules: SchemaGate.importRules)
    plan.refusals = plan.findings.filter { $0.severity == .error }.map { SchemaRefusal($0) }
    plan.refusals.add(promoted.breaches(by: candidate))
    plan.refusals.add(candidate.excesses)
    plan.discarded = development.parts(discardedBy: candidate)
    return plan
  }

  /// Replaces development by a `.ckdb` file, as `planImport` tells; all of it or nothing.
  package func importing(_ bytes: [UInt8], file: String, by mark: AuditMark) -> SchemaOutcome {
    let plan = planImport(bytes, file: file)
    return SchemaOutcome(plan, of: self) { next in
      next.development = plan.candidate
      next.record(.imported, mark, plan.changes)
    }
  }
}

extension SchemaRefusal {
  /// A text that could not be read.
  fileprivate init(_ error: SchemaFormatError) {
    self.init(
      .unreadable, .schema, "expected \(error.expected), found \(error.found)",
      fix: "correct the line: nothing was imported", place: error.location.description)
  }
}

extension RecordSchema {
  /// Types and fields whose values are gone when `next` takes this schema's place.
  fileprivate func parts(discardedBy next: RecordSchema) -> [SchemaElement] {
    let nextTypes = Dictionary(
      next.types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return types.flatMap { type -> [SchemaElement] in
      guard let other = nextTypes[type.name] else { return [.recordType(type.name)] }
      let shapes = Dictionary(
        other.fields.map { ($0.name, $0.shape) }, uniquingKeysWith: { first, _ in first })
      return type.fields.filter { field in
        shapes[field.name].map { !field.shape.isContinued(by: $0) } ?? true
      }.map { .field(type: type.name, name: $0.name) }
    }
  }
}
