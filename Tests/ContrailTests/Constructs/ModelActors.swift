public import Contrail
import Testing

@Model final class Lamp {
  var room: String
  var lit: Bool

  init(room: String, lit: Bool = false) {
    self.room = room
    self.lit = lit
  }
}

@ModelActor actor Switchboard {
  func install(_ rooms: [String]) throws -> [PersistentIdentifier] {
    let lamps = rooms.map { Lamp(room: $0) }
    for lamp in lamps { modelContext.insert(lamp) }
    try modelContext.save()
    return lamps.map(\.persistentModelID)
  }

  func light(_ id: PersistentIdentifier) throws -> Bool {
    guard let lamp = self[id, as: Lamp.self] else { return false }
    lamp.lit = true
    try modelContext.save()
    return true
  }
}

/// An actor that says itself what `@ModelActor` writes.
public actor Caretaker: ModelActor {
  /// The container that it works on.
  public nonisolated let modelContainer: ModelContainer
  /// What runs its work.
  public nonisolated let modelExecutor: any ModelExecutor

  /// An actor with a context of its own that never saves by itself.
  public init(container: ModelContainer) {
    modelContainer = container
    let context = ModelContext(container)
    context.autosaveEnabled = false
    modelExecutor = DefaultSerialModelExecutor(modelContext: context)
  }

  func darken() throws {
    for lamp in try modelContext.fetch(FetchDescriptor<Lamp>(predicate: #Predicate { $0.lit })) {
      modelContext.delete(lamp)
    }
    try modelContext.save()
  }
}

@Suite struct ModelActors {
  @Test func `Actors, generated and written by hand, save what others fetch`() async throws {
    let kept = try Kept(Lamp.self) { _ in }
    let board = Switchboard(modelContainer: kept.container)
    let ids = try await board.install(["hall", "attic"])
    #expect(try await board.light(ids[0]))
    #expect(try kept.all(Lamp.self).filter(\.lit).map(\.room) == ["hall"])

    try await Caretaker(container: kept.container).darken()
    #expect(
      try ModelContext(kept.container).fetch(FetchDescriptor<Lamp>()).map(\.room) == ["attic"])
    #expect(try await board.light(ids[0]) == false)
  }
}
