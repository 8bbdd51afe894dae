import Contrail

@Model final class Country {
  var name: String
  init(name: String) { self.name = name }
}

@ModelActor actor Countries {
  func first() throws -> Country? { try modelContext.fetch(FetchDescriptor<Country>()).first }
  func rename(_ country: Country) { country.name = "Elsewhere" }
}

// Models stay on their actor; identifiers leave it.
func name(_ countries: Countries) async throws -> String? {
  // error: non-Sendable
  try await countries.first()?.name
}

@MainActor
func rename(_ countries: Countries, _ container: ModelContainer) async throws {
  let found = try container.mainContext.fetch(FetchDescriptor<Country>())
  // error: sending value of non-Sendable type 'Country' risks causing data races
  await countries.rename(found[0])
}
