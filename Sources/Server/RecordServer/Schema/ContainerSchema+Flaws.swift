import DataModel

extension ContainerSchema {
  /// What contradicts the rules that every container's schema keeps; empty for one that our
  /// operations made.
  ///
  /// A stored schema is held to this when it is read, and a promotion before it is carried out.
  package var flaws: [SchemaRefusal] {
    var flaws = promoted.breaches(by: production) + promoted.breaches(by: development)
    flaws += PromotionLedger(production).breaches(of: promoted)
    for environment in SchemaEnvironment.allCases {
      let schema = self[environment]
      if schema.completed != schema {
        flaws.append(
          Self.flaw(.schema, "\(environment.rawValue) lacks system fields or the type Users"))
      }
      flaws += schema.excesses
    }
    flaws += production.unsettledNumbers
    if version < 1 || version > SchemaLimits.versionMax {
      flaws.append(Self.flaw(.schema, "the version is \(version)"))
    }
    if !isAuditInOrder {
      flaws.append(Self.flaw(.schema, "the audit list is out of order"))
    }
    return flaws
  }

  /// Each act raised the version, so that no number runs ahead of it.
  private var isAuditInOrder: Bool {
    var last: (number: Int64, version: Int64) = (0, 0)
    for entry in audit {
      guard entry.number > last.number, entry.version > last.version,
        entry.number <= entry.version, entry.version <= version
      else { return false }
      last = (entry.number, entry.version)
    }
    return true
  }

  private static func flaw(_ subject: SchemaElement, _ message: String) -> SchemaRefusal {
    SchemaRefusal(
      .inconsistent, subject, message, fix: "restore the container's schema from a backup")
  }
}

extension PromotionLedger {
  /// What this ledger has and `other` lacks: production with what nobody promoted.
  fileprivate func breaches(of other: PromotionLedger) -> [SchemaRefusal] {
    types.sorted { $0.key.precedesInBytes($1.key) }.flatMap { type, fields in
      fields.keys.sorted { $0.precedesInBytes($1) }.compactMap { field in
        guard other.types[type]?[field] == nil else { return nil }
        return SchemaRefusal(
          .inconsistent, .field(type: type, name: field),
          "\(type).\(field) is in production, and was never promoted",
          fix: "restore the container's schema from a backup")
      }
    }
  }
}

extension RecordSchema {
  /// Numbers that have not settled on a kind.
  ///
  /// In production the first value could not settle them, as no save changes its schema.
  var unsettledNumbers: [SchemaRefusal] {
    types.flatMap { type in
      type.fields.filter(\.shape.isUnsettled).map { field in
        SchemaRefusal(
          .unsettledNumber, .field(type: type.name, name: field.name),
          "\(type.name).\(field.name) is NUMBER and has not settled on a kind",
          fix: "save a value in development, or import the field as NUMBER PREFERRED AS INT64 or "
            + "DOUBLE")
      }
    }
  }
}
