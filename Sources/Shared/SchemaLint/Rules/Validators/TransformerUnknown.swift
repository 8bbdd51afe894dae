import DataModel

extension Rule {
  /// Speaks only where the user says which transformers there are: a schema cannot tell.
  static let transformerUnknown = Rule(
    "transformer-unknown", .validator, .error,
    summary: "Every transformer that an attribute names is registered and can be reversed.",
    why: "without its transformer a value can neither be sent nor be read",
    fix: "register the transformer under this name, or name one that is registered",
    check: attributes(.mirrored) { site in
      guard let known = site.context.knownTransformers, site.attribute.type == .transformable,
        let name = site.attribute.transformerName, !known.contains(name),
        site.context.profile == .contrail || !providedByFoundation.contains(name)
      else { return nil }
      return (.transformerName, "names the transformer \(name), which is not registered")
    })

  /// Those that are there without registration, of all that Apple's Foundation names.
  private static let providedByFoundation: Set<String> = [
    "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer",
    "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
    "NSUnarchiveFromData", "NSUnarchiveFromDataTransformerName",
  ]
}
