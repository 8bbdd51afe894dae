import Contrail
import Synchronization
import Testing

/// A container in memory with some of the quakes that tests are about.
func quakes(_ all: [(code: String, magnitude: Double, place: String, time: Date)] = []) throws
  -> ModelContainer
{
  let container = try memory(Quake.self)
  let context = ModelContext(container, isolation: nil)
  for quake in all {
    context.insert(
      Quake(code: quake.code, magnitude: quake.magnitude, place: quake.place, time: quake.time))
  }
  try context.save()
  return container
}

/// A week of quakes: their times and their magnitudes have nothing to do with one another.
let week: [(code: String, magnitude: Double, place: String, time: Date)] = [
  ("a", 4.1, "South Sandwich", .at(day: 0, hour: 3)),
  ("b", 6.5, "Mount Ember", .at(day: 0, hour: 9)),
  ("c", 5.5, "Norfold", .at(day: 1, hour: 1)),
  ("d", 4.9, "Sandwich Bay", .at(day: 2, hour: 5)),
  ("e", 6.0, "Norfold", .at(day: 2, hour: 20)),
]

/// What happened, in order, whoever tells it.
final class Notes: Sendable {
  private let notes = Mutex<[String]>([])

  func add(_ note: String) { notes.withLock { $0.append(note) } }
  var all: [String] { notes.withLock { $0 } }
}
