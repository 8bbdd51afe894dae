import Contrail

/// A type that no store keeps.
struct Point {
  var x = 0.0
}

extension Note {
  fileprivate var initial: Character { text.first ?? " " }
  fileprivate var place: Point? { nil }
}

/// What `@Model` writes for properties of types that no store keeps.
///
/// The compiler refuses it by saying what to do: it finds an accessor, which is unavailable. That is all right within
/// what is unavailable itself, as here; without such accessors this file is an error.
@available(*, unavailable)
func refused(_ storage: inout ModelStorage, _ defaults: ModelDefaults, _ note: Note) {
  _ = storage.read(0, of: note, \.initial)
  storage.write(0, "a", of: note, \.initial)
  _ = storage.read(1, of: note, \.place)
  storage.write(1, Point(), of: note, \.place)
  storage.initialize(0, Character("a"))
  storage.initialize(1, [Point()])
  defaults.set(0, Character("a"))
  defaults.set(1, Point() as Point?)
}
