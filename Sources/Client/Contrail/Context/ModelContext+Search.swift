import Foundation
import ObjectStore

extension ModelContext {
  /// A model that a search found.
  public struct SearchHit<Model: PersistentModel> {
    /// The model.
    public let model: Model
    /// The name of the attribute that the snippet is from.
    public let property: String
    private let hit: ObjectStore.SearchHit

    init(_ model: Model, _ hit: ObjectStore.SearchHit) {
      self.model = model
      self.hit = hit
      property = hit.property
    }

    /// The words around what was found, and that between two marks: `hit.snippet(marks: "**", "**")`.
    public func snippet(marks open: String, _ close: String) -> String {
      hit.snippet(marks: open, close)
    }
  }

  /// Finds saved models by the words of their attributes marked `.spotlight`, the best first.
  ///
  /// `text` is what a person typed: all words have to be in the model, words in quotation marks behind one
  /// another, and a word with a star may go on; case and accents do not count.
  ///
  /// ```swift
  /// let hits = try context.search(Quake.self, for: "sandwich isl*", limit: 20)
  /// ```
  public func search<T: PersistentModel>(
    _ type: T.Type, for text: String, limit: Int = 50
  ) throws -> [SearchHit<T>] {
    let part = try part(askedFor: FetchDescriptor<T>())
    let hits = try part.store.search(text, in: [T._$plan.entityName], limit: limit)
    return hits.compactMap { hit in
      (model(for: PersistentIdentifier(hit.identity)) as? T).map { SearchHit($0, hit) }
    }
  }
}
