// Composite types by what they hold. Objects and records know the parts and not what the type around them
// is called, so that one that only gets another name is no change to them.
extension Schema {
  /// Whether a composite type here and one of another schema have the same parts, whatever the types, and
  /// those of their parts, are called.
  public func hasSameParts(_ name: String, as otherName: String, of other: Schema) -> Bool {
    var assumed: Set<[String]> = []
    return hasSameParts(name, otherName, other, &assumed)
  }

  /// Types may hold one another in a circle: a pair that is being compared is taken for equal until a
  /// difference is found.
  private func hasSameParts(
    _ name: String, _ otherName: String, _ other: Schema, _ assumed: inout Set<[String]>
  ) -> Bool {
    guard assumed.insert([name, otherName]).inserted else { return true }
    guard let mine = composite(name)?.attributes,
      let others = other.composite(otherName)?.attributes, mine.count == others.count
    else { return false }
    return zip(mine, others).allSatisfy { mine, others in
      guard mine.withoutCompositeName == others.withoutCompositeName else { return false }
      guard let inner = mine.compositeName, let otherInner = others.compositeName else {
        return mine.compositeName == others.compositeName
      }
      return hasSameParts(inner, otherInner, other, &assumed)
    }
  }
}

extension Schema.Attribute {
  fileprivate var withoutCompositeName: Schema.Attribute {
    var copy = self
    copy.compositeName = nil
    return copy
  }
}
