import DataModel
import ObjectStore
import PredicateSQL
import Synchronization

/// Finds the property that a key path of a subclass leads to.
///
/// `\\Sub.name` is equal to no key path that the superclass can list, at any level of optimisation. So it is
/// followed on a made up object, several times: it leads to a property when it asks for that alone and
/// always gives what the property gives. A class without a model as its superclass needs none of that.
enum KeyPathProbe {
  private static let known = Mutex<Known>(Known())

  /// Unchecked: key paths are compared only.
  private struct Known: @unchecked Sendable {
    var properties: [AnyKeyPath: KnownProperty?] = [:]
  }

  static func property(of keyPath: AnyKeyPath, _ plan: ModelPlan) -> KnownProperty? {
    guard plan.superplan != nil else { return nil }
    let asked = Known(properties: [keyPath: nil])
    let cached = known.withLock { known in
      var found = Known()
      for path in asked.properties.keys { found.properties[path] = known.properties[path] }
      return found
    }
    if let found = cached.properties[keyPath] { return found }
    let found = Known(properties: [keyPath: find(keyPath, plan)])
    known.withLock { $0.properties.merge(found.properties) { first, _ in first } }
    return found.properties[keyPath] ?? nil
  }

  private static func find(_ keyPath: AnyKeyPath, _ plan: ModelPlan) -> KnownProperty? {
    // Where there is nil on the way, to follow it would trap.
    if ForcedPaths.unwrap(keyPath) { return nil }
    let made = ProbedValues(plan.properties.all)
    var found: KnownProperty?
    var values: Set<FieldValue> = []
    for round in 0..<made.rounds {
      let probe = { PathProbe(plan.outline, round: round, from: made.values) }
      guard let (property, value) = follow(keyPath, plan, probe) else { return nil }
      if let found, found.name != property.name { return nil }
      found = property
      values.insert(value)
    }
    guard let found else { return nil }
    // What always gives the same may be anything.
    guard values.count > 1 || !made.differ(in: found) else { return nil }
    guard found.isComparable, found.kind.isOptional else { return found }
    return givesNothing(keyPath, plan) ? found : nil
  }

  /// Whether a key path gives nothing, too, where there is no value.
  private static func givesNothing(_ keyPath: AnyKeyPath, _ plan: ModelPlan) -> Bool {
    guard let value = read(keyPath, plan, PathProbe(plan.outline, round: nil)) else { return true }
    return (value as? any OptionalValue)?.isNone ?? true
  }

  /// What a key path asks for, where what it gives is what the property itself gives.
  private static func follow(
    _ keyPath: AnyKeyPath, _ plan: ModelPlan, _ probe: () -> PathProbe
  ) -> (KnownProperty, FieldValue)? {
    let first = probe()
    guard let value = read(keyPath, plan, first) else { return nil }
    let names = Set(first.slots.map { plan.outline.slots[$0].name.prefix { $0 != "." } })
    guard names.count == 1, let name = names.first,
      let property = plan.properties.property(String(name)),
      type(of: property.keypath).valueType == type(of: keyPath).valueType
    else { return nil }
    if !property.isComparable { return (property, .null) }
    guard let expected = read(property.keypath, plan, probe()),
      let found = comparable(value), found == comparable(expected)
    else { return nil }
    return (property, found)
  }

  /// A value in a form in which it can be compared with others of its type.
  private static func comparable(_ value: Any) -> FieldValue? {
    FieldValue(captured: value) ?? CodableColumn.bytes(of: value).map { .data($0) }
  }

  private static func read(_ keyPath: AnyKeyPath, _ plan: ModelPlan, _ probe: PathProbe) -> Any? {
    let model: Any = plan.makeModel(probe.object())
    return model[keyPath: keyPath]
  }
}
