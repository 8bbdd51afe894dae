package import DataModel

// The walks over what changed since each promoted version: a rule is only the comparison at the end.

extension Rule {
  /// A check of what changed in the objects since each promoted version; nil when it is fine.
  package static func objectChanges(
    _ check: @escaping @Sendable (SchemaChange, LintPair) -> (aspect: Aspect?, message: String)?
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in
      pass.pairs.flatMap { pair in
        pair.objectChanges.compactMap { change in
          check(change, pair).map {
            Offence(
              change.element, $0.aspect, "\(change.element) \($0.message)", against: pair.old.label)
          }
        }
      }
    }
  }

  /// A check of what changed in the records since each promoted version; nil when it is fine.
  ///
  /// The offence is reported at the part that a person wrote.
  package static func recordChanges(
    _ check: @escaping @Sendable (SchemaChange, LintPair) -> String?
  ) -> @Sendable (LintPass) -> [Offence] {
    { pass in
      pass.pairs.flatMap { pair in
        pair.recordChanges.compactMap { change in
          guard let message = check(change, pair) else { return nil }
          let side = change.kind == .removed ? pair.old : pair.new
          let element = side.written(change.element)
          return Offence(
            element, change.aspect, "\(element) \(message)", against: pair.old.label)
        }
      }
    }
  }
}
