import DataModel
import FoundationEssentials

extension Rule {
  static let defaultMistyped = Rule(
    "default-mistyped", .pitfall, .error,
    summary: "Every default value is a value of its attribute's type.",
    why: "new objects start without the default, or the model cannot be compiled",
    fix: "write the default as a value of the type, or remove it",
    check: attributes(.all) { site in
      // Text that is no value of the type is kept as text, and null is no default at all.
      guard let value = site.attribute.defaultValue, value.kind != .null,
        let kind = site.attribute.type.valueKind
      else { return nil }
      if value.kind != kind {
        return (.defaultValue, "has the default \(value.shown), which is no \(site.attribute.type)")
      }
      guard !value.isFinite else { return nil }
      return (.defaultValue, "has the default \(value.shown), which is no finite number")
    })
}

extension FieldValue {
  /// Whether the value is no number, or one that is neither endless nor "not a number".
  fileprivate var isFinite: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .decimal(let number): number.isFinite
    default: true
    }
  }
}
