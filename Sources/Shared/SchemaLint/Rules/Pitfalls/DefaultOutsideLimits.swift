import DataModel

extension Rule {
  static let defaultOutsideLimits = Rule(
    "default-outside-limits", .pitfall, .error,
    summary: "Every default value keeps the attribute's own limits.",
    why: "a new object that keeps the default cannot be saved",
    fix: "change the default value, or widen the limit",
    check: attributes { site in
      let limits = Limits(of: site.attribute)
      guard let value = limits.measure(site.attribute.defaultValue) else { return nil }
      if let minimum = limits.minimum, value < minimum {
        return (.defaultValue, "has a default below its minimum \(limits.minimumText)")
      }
      if let maximum = limits.maximum, value > maximum {
        return (.defaultValue, "has a default above its maximum \(limits.maximumText)")
      }
      return nil
    })
}
