import Contrail

@Model final class Country {
  @Attribute(.unique) var name: String
  var visited = false

  init(name: String, visited: Bool = false) {
    self.name = name
    self.visited = visited
  }
}

/// Works on countries beside the main actor.
@ModelActor actor CountryModelActor {
  /// Makes every country one to be visited.
  func resetVisited() throws {
    let visited = FetchDescriptor<Country>(predicate: #Predicate { $0.visited == true })
    for country in try modelContext.fetch(visited) { country.visited = false }
    try modelContext.save()
  }

  /// Makes every country one to be visited, and leaves it to the context to save that.
  func resetVisitedUnsaved() throws {
    modelContext.autosaveEnabled = true
    let visited = FetchDescriptor<Country>(predicate: #Predicate { $0.visited == true })
    for country in try modelContext.fetch(visited) { country.visited = false }
  }

  var hasChanges: Bool { modelContext.hasChanges }

  /// Marks countries as visited; returns the names of those that there still are.
  func visit(identifiers: [Country.ID]) throws -> [String] {
    var names: [String] = []
    for identifier in identifiers {
      guard let country = self[identifier, as: Country.self] else { continue }
      country.visited = true
      names.append(country.name)
    }
    try modelContext.save()
    return names
  }

  func add(_ names: [String]) throws -> [PersistentIdentifier] {
    let countries = names.map { Country(name: $0) }
    for country in countries { modelContext.insert(country) }
    try modelContext.save()
    return countries.map(\.persistentModelID)
  }

  func delete(_ identifier: PersistentIdentifier) throws {
    guard let country = self[identifier, as: Country.self] else { return }
    modelContext.delete(country)
    try modelContext.save()
  }

  func name(_ identifier: PersistentIdentifier) -> String? {
    self[identifier, as: Country.self]?.name
  }

  func isThere<Model: PersistentModel>(_ identifier: PersistentIdentifier, as type: Model.Type)
    -> Bool
  {
    self[identifier, as: type] != nil
  }

  var isOnMainThread: Bool { Thread.isMainThread }

  func waitForMainActor(_ gate: DispatchSemaphore) { gate.wait() }
}
