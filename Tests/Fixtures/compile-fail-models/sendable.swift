import Contrail

@Model final class Quake {
  var magnitude: Double
  init(magnitude: Double) { self.magnitude = magnitude }
}

func needs<Value: Sendable>(_ value: Value) {}

func send(_ context: ModelContext, _ quake: Quake, _ container: ModelContainer) {
  // error: conformance of 'ModelContext' to 'Sendable' is unavailable
  needs(context)
  // error: conformance of 'Quake' to 'Sendable' is unavailable
  needs(quake)
  needs(container)
  needs(quake.persistentModelID)
}
