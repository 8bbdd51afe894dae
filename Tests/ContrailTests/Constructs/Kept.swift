import Contrail
import Testing

/// A store in memory, with what a test put in it by one context and a second context to read it again.
///
/// What the second context fetches was made from the store's rows, so that a test sees what was kept and not
/// the objects that it made.
struct Kept {
  let container: ModelContainer
  let context: ModelContext

  /// Saves what `insert` puts into a context of a new store for `types`.
  init(_ types: any PersistentModel.Type..., by insert: (ModelContext) throws -> Void) throws {
    container = try ModelContainer(
      for: Schema(types), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let writing = ModelContext(container)
    try insert(writing)
    try writing.save()
    context = ModelContext(container)
  }

  /// Every object of a class.
  func all<Model: PersistentModel>(_: Model.Type = Model.self) throws -> [Model] {
    try context.fetch(FetchDescriptor<Model>())
  }

  /// The one object of a class.
  func one<Model: PersistentModel>(_ type: Model.Type = Model.self) throws -> Model {
    let found = try all(type)
    try #require(found.count == 1)
    return found[0]
  }
}
