import Contrail

@Model final class Quake {
  var magnitude: Double
  init(magnitude: Double) { self.magnitude = magnitude }
}

// What is used here cannot be used in a block.
func double(_ quake: Quake, _ background: BackgroundContext) async throws {
  try await background.perform { _ in
    // error: capture of 'quake' with non-Sendable type 'Quake'
    quake.magnitude *= 2
  }
}
