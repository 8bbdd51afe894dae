public import DataModel
public import PredicateSQL

/// What the sections of a list of results are made by.
///
/// ```swift
/// .property("tailNumber")                        // titles are the property's values
/// .property("tailNumber") { $0.shown }           // titles of any kind
/// .computed { try? $0.value("hours") == .null }  // sections of what only the program can tell
/// ```
public struct SectionKey<Element, Title: Hashable> {
  enum Kind {
    case property(String, (FieldValue) -> Title)
    case computed((Element) -> Title)
  }

  let kind: Kind

  /// Sections by an attribute, which the results are sorted by first; `title` makes a title of its value.
  ///
  /// A path such as "pilot.name" is followed object by object, which reads all of them.
  public static func property(
    _ path: String, _ title: @escaping (FieldValue) -> Title
  ) -> SectionKey {
    SectionKey(kind: .property(path, title))
  }

  /// Sections by what `title` says of each object.
  ///
  /// Reads every object, and puts those with one title together where the first of them is.
  public static func computed(_ title: @escaping (Element) -> Title) -> SectionKey {
    SectionKey(kind: .computed(title))
  }
}

extension SectionKey where Title == FieldValue {
  /// Sections by the values of an attribute.
  public static func property(_ path: String) -> SectionKey { .property(path) { $0 } }
}

extension SectionKey where Title == String {
  /// Sections by the values of an attribute as text; without a value the title is empty.
  public static func property(_ path: String) -> SectionKey {
    .property(path) { $0.sectionTitle ?? "" }
  }
}

extension SectionKey where Title == String? {
  /// Sections by the values of an attribute as text; without a value there is no title.
  public static func property(_ path: String) -> SectionKey { .property(path) { $0.sectionTitle } }
}

extension FieldValue {
  fileprivate var sectionTitle: String? {
    switch self {
    case .null: nil
    case .string(let text): text
    default: shown
    }
  }
}

/// What a list of results asks for that can be changed while it lives.
public struct ResultsConfiguration<Element, SectionTitle: Hashable> {
  /// What must be true of an object; nil for all.
  public var filter: QueryExpression?
  /// The order, the most important first.
  ///
  /// Where sections are made by a property, that comes first of all.
  public var sort: [QuerySort]
  /// What sections are made by; nil for none.
  public var sectionBy: SectionKey<Element, SectionTitle>?
  /// What is left to do in memory with what the store finds; nil for nothing.
  public var refine: ResultsRefining?

  /// Describes what is asked for.
  public init(
    filter: QueryExpression?, sort: [QuerySort], sectionBy: SectionKey<Element, SectionTitle>?,
    refine: ResultsRefining? = nil
  ) {
    self.filter = filter
    self.sort = sort
    self.sectionBy = sectionBy
    self.refine = refine
  }
}

/// One title in a form that titles of all kinds have.
struct SectionTitleBox<Title: Hashable>: Hashable {
  var title: Title
}

/// What sections are made by, whatever the titles are.
enum SectionMaking {
  case property(String, (FieldValue) -> AnyHashable)
  case computed((ManagedObject) -> AnyHashable)
}

extension SectionKey {
  /// The key in terms of objects.
  func making(_ element: @escaping (ManagedObject) -> Element) -> SectionMaking {
    switch kind {
    case .property(let path, let title):
      .property(path) { AnyHashable(SectionTitleBox(title: title($0))) }
    case .computed(let title):
      .computed { AnyHashable(SectionTitleBox(title: title(element($0)))) }
    }
  }
}
