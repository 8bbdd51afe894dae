extension Schema {
  /// How many ancestors an entity may have in a file.
  public static let inheritanceDepthMax = 64

  /// The entity that has too many ancestors, of several the one with the fewest.
  ///
  /// In a circle each entity is an ancestor of all others.
  package var tooDeepEntity: String? {
    let depths = InheritanceDepths(self)
    return entities.lazy.map { (depths.depths[$0.name] ?? 0, $0.name) }
      .filter { $0.0 > Self.inheritanceDepthMax }
      .min { $0.0 < $1.0 }?.1
  }
}

/// The number of each entity's ancestors, found in one walk that goes over no entity twice.
private struct InheritanceDepths {
  private(set) var depths: [String: Int] = [:]
  private let parents: [String: String]

  init(_ schema: Schema) {
    let names = Set(schema.entities.map(\.name))
    parents = Dictionary(
      schema.entities.compactMap { entity in
        entity.parent.flatMap { names.contains($0) ? (entity.name, $0) : nil }
      }, uniquingKeysWith: { first, _ in first })
    for entity in schema.entities { climb(from: entity.name) }
  }

  /// Climbs to an entity whose depth is known, to a root, or once around a circle.
  private mutating func climb(from name: String) {
    var path: [String] = []
    var places: [String: Int] = [:]
    var next: String? = name
    while let current = next, depths[current] == nil, places[current] == nil {
      places[current] = path.count
      path.append(current)
      next = parents[current]
    }
    var depth = next.flatMap { depths[$0] } ?? -1
    if let start = next.flatMap({ places[$0] }) {
      depth = path.count - start - 1
      for member in path[start...] { depths[member] = depth }
      path.removeSubrange(start...)
    }
    for descendant in path.reversed() {
      depth += 1
      depths[descendant] = depth
    }
  }
}
