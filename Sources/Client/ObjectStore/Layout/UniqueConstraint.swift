import DataModel

/// Properties that no two objects have alike, as slots.
///
/// A property that is missing equals no other. A composite attribute is missing where all its members are;
/// where only some are, these are equal to missing ones.
public struct UniqueConstraint: Sendable {
  /// The slots of all properties, one behind the other.
  public let slots: [Int]
  /// The slots of each property: one, or one for each member of a composite attribute.
  private let properties: [[Int]]

  init(_ properties: [[Int]]) {
    self.properties = properties
    slots = properties.flatMap { $0 }
  }

  /// The constraint of the properties of these names; nil where it needs no column, and where one has none.
  init?(_ names: [String], _ slots: [Slot]) {
    var properties: [[Int]] = []
    for name in names {
      guard case .columns(let found) = UniqueProperty(name, slots) else { return nil }
      properties.append(found)
    }
    guard !properties.isEmpty else { return nil }
    self.init(properties)
  }

  /// Whether a row has all the properties, so that it may be equal to another.
  func isWhole(in row: Row) -> Bool {
    properties.allSatisfy { $0.contains(where: row.isPresent) }
  }

  /// The condition that a row's columns, as `column` writes them, equal the parameters from `first` on.
  func equality(_ first: Int, _ column: (Int) -> String) -> String {
    // A property of one column is there, by `isWhole`; members of composites may be missing on both sides.
    let operators = properties.flatMap { slots in slots.map { _ in slots.count > 1 ? "IS" : "=" } }
    return zip(slots, operators).enumerated().map { index, term in
      "\(column(term.0)) \(term.1) ?\(first + index)"
    }.joined(separator: " AND ")
  }

  /// The condition that a row has all the properties.
  func wholeness(_ column: (Int) -> String) -> String {
    properties.map { slots in
      let terms = slots.map { "\(column($0)) IS NOT NULL" }
      return terms.count == 1 ? terms[0] : "(\(terms.joined(separator: " OR ")))"
    }.joined(separator: " AND ")
  }
}

/// What a constraint compares for one property that it names.
enum UniqueProperty {
  /// These slots, which have columns.
  case columns([Int])
  /// Nothing: two objects cannot have it alike, since it is a to-one relationship with a to-one inverse.
  case alwaysUnique
  /// Nothing that could be compared.
  case noColumn

  init(_ name: String, _ all: [Slot]) {
    let found = all.indices(of: name)
    if !found.isEmpty, found.allSatisfy({ all[$0].column != nil }) {
      self = .columns(found)
    } else if let only = found.first, case .farColumn? = all[only].relationship?.place,
      all[only].relationship?.schema.isToMany == false
    {
      self = .alwaysUnique
    } else {
      self = .noColumn
    }
  }
}

extension [Slot] {
  /// Where a property is: at one place, or at one for each member of a composite attribute.
  func indices(of property: String) -> [Int] {
    if let only = firstIndex(where: { $0.name == property }) { return [only] }
    return indices.filter { self[$0].attribute != nil && self[$0].name.hasPrefix(property + ".") }
  }
}

extension Schema {
  /// Throws for all constraints that name what has no column: a name that is passed over would make objects
  /// equal that differ by it.
  func checkUniqueness() throws(StoreError) {
    guard entities.contains(where: { !$0.uniquenessConstraints.isEmpty }) else { return }
    let layout = StoreLayout(self, Catalogue().extended(for: self))
    let failures = layout.entities.flatMap { entity in
      Set(entity.schema.uniquenessConstraints.joined()).sorted { $0.precedesInBytes($1) }
        .compactMap { entity.uniquenessFailure($0) }
    }
    guard let first = failures.first else { return }
    throw failures.count == 1
      ? first
      : StoreError(
        .invalidSchema, name, "has \(failures.count) constraints by what has no column",
        failures: failures)
  }
}

extension EntityLayout {
  fileprivate func uniquenessFailure(_ property: String) -> StoreError? {
    guard case .noColumn = UniqueProperty(property, slots) else { return nil }
    return StoreError(
      .invalidSchema, name, "is unique by \(property), which has no column",
      fix: "name stored attributes, and relationships to one object")
  }
}
