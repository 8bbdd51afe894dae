import DataModel

extension Rule {
  static let encryptionChanged = Rule(
    "encryption-changed", .additive, .error,
    summary: "A field stays encrypted, or stays plain.",
    why: "encryption is fixed when a field is created, and cannot be changed later",
    fix: "put the option back, and add another property for the values with the other protection",
    check: either(
      attributePairs { pair, _ in
        guard pair.old.isEncrypted != pair.new.isEncrypted else { return nil }
        return (.encrypted, message(pair.new.isEncrypted))
      },
      recordLevelChanges { change, _ in
        guard case .changed(.isEncrypted, _, .flag(let isEncrypted)) = change.kind else {
          return nil
        }
        return message(isEncrypted)
      }))

  private static func message(_ isEncrypted: Bool) -> String {
    isEncrypted ? "was plain and is encrypted" : "was encrypted and is plain"
  }
}

extension Schema.Attribute {
  fileprivate var isEncrypted: Bool { options.contains(.encrypted) }
}
