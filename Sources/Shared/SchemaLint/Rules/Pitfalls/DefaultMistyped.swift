import DataModel

extension Rule {
  static let defaultMistyped = Rule(
    "default-mistyped", .pitfall, .error,
    summary: "Every default value is a value of its attribute's type.",
    why: "new objects start without the default, or the model cannot be compiled",
    fix: "write the default as a value of the type, or remove it",
    check: attributes(.all) { site in
      // Text that is no value of the type is kept as text.
      guard case .string(let text) = site.attribute.defaultValue,
        let kind = site.attribute.type.valueKind, kind != .string
      else { return nil }
      return (.defaultValue, "has the default \"\(text)\", which is no \(site.attribute.type)")
    })
}
