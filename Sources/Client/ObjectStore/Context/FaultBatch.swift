/// Faults that were handed out together, and so are likely to be read together.
struct FaultBatch {
  private var objects: [ManagedObject] = []
  /// Where they are, made when it is first asked for.
  private var places: [ObjectIdentifier: Int]?

  init(_ objects: [ManagedObject] = []) { self.objects = objects }

  /// The faults from `object` on, at most `count` of them looked at; nil when it is not among these.
  mutating func faults(from object: ManagedObject, count: Int) -> [ManagedObject]? {
    if objects.isEmpty { return nil }
    let known =
      places
      ?? Dictionary(
        objects.enumerated().map { (ObjectIdentifier($1), $0) },
        uniquingKeysWith: { first, _ in first }
      )
    places = known
    guard let place = known[ObjectIdentifier(object)] else { return nil }
    return objects[place...].prefix(count).filter(\.isFault)
  }
}
