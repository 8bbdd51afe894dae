import DataModel

/// Which changes a row is about: the kind of part, and what happened to it.
struct ImpactKey: Hashable {
  enum Change: Hashable {
    case added, removed, renamed
    case changed(Aspect)
  }

  let kind: SchemaElement.Kind
  let change: Change

  init(_ kind: SchemaElement.Kind, _ change: Change) {
    self.kind = kind
    self.change = change
  }

  init(_ change: SchemaChange) {
    kind = change.element.kind
    switch change.kind {
    case .added: self.change = .added
    case .removed: self.change = .removed
    case .renamed: self.change = .renamed
    case .changed(let aspect, _, _): self.change = .changed(aspect)
    }
  }
}

/// What one kind of change means to an older app: a row in `ImpactRow.table`.
///
/// A change without a row, such as another class name, means nothing to it.
struct ImpactRow: Sendable {
  let key: ImpactKey
  let effect: ImpactEffect
  /// The rest of a sentence that begins with the older version; nil where this change means nothing.
  let sentence: @Sendable (ImpactSite) -> String?

  init(
    _ kind: SchemaElement.Kind, _ change: ImpactKey.Change, _ effect: ImpactEffect,
    _ sentence: @escaping @Sendable (ImpactSite) -> String?
  ) {
    key = ImpactKey(kind, change)
    self.effect = effect
    self.sentence = sentence
  }

  func entry(for site: ImpactSite) -> ImpactReport.Entry? {
    sentence(site).map { sentence in
      ImpactReport.Entry(
        element: site.shown, effect: effect, sentence: sentence, location: site.location)
    }
  }

  /// The rows by what they are about; of several the first that has something to say is taken.
  static let table: [ImpactKey: [ImpactRow]] = Dictionary(
    grouping: entityRows + attributeRows + relationshipRows + memberRows + recordRows, by: \.key)
}
