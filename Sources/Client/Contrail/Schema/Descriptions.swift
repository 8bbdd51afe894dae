import ObjectStore

// What a debugger or `print` shows.

extension Schema: CustomDebugStringConvertible {
  /// The version and the entities' names.
  public var debugDescription: String {
    "Schema \(version): \(entities.map(\.name).joined(separator: ", "))"
  }
}

extension Schema.Entity: CustomDebugStringConvertible {
  /// The name, the entity that it inherits from, and the properties.
  public var debugDescription: String {
    let parent = superentityName.map { ": \($0)" } ?? ""
    return "\(name)\(parent) (\(properties.map(\.name).joined(separator: ", ")))"
  }
}

extension Schema.Attribute: CustomDebugStringConvertible {
  /// The name and the type.
  public var debugDescription: String { "\(name): \(valueType)" }
}

extension Schema.Relationship: CustomDebugStringConvertible {
  /// The name, the destination, the delete rule and the inverse.
  public var debugDescription: String {
    let inverse = inverseName.map { ", inverse \($0)" } ?? ""
    return "\(name): \(isToOneRelationship ? destination : "[\(destination)]"), "
      + "\(deleteRule)\(inverse)"
  }
}

extension ModelConfiguration: CustomDebugStringConvertible {
  /// The name and where the store is.
  public var debugDescription: String {
    "ModelConfiguration \(name) at \(isStoredInMemoryOnly ? "memory" : url.path)"
  }
}

extension ModelContext: CustomDebugStringConvertible {
  /// The author, and how many models are to be saved.
  public var debugDescription: String {
    let counts = [
      (insertedModelsArray.count, "inserted"), (changedModelsArray.count, "changed"),
      (deletedModelsArray.count, "deleted"),
    ]
    let shown = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let of = author.map { " of \($0)" } ?? ""
    return "ModelContext\(of): " + (shown.isEmpty ? "no changes" : shown.joined(separator: ", "))
  }
}
