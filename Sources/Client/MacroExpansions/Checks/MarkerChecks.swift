import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What a marker stands on.
enum MarkerPlace {
  /// A stored property of a model.
  case property(MarkedProperty)
  /// Something that no store keeps, with what there is to say of it.
  case elsewhere(Diagnostic?)

  init(
    _ marker: AttributeSyntax, on declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) {
    // What the compiler hands over as the attribute stands alone; that in the declaration has neighbours.
    let inPlace = declaration.asProtocol((any WithAttributesSyntax).self)?.writtenAttributes
      .first { $0.trimmedDescription == marker.trimmedDescription }
    let marker = inPlace ?? marker
    let variable = declaration.as(VariableDeclSyntax.self)
    guard let variable, variable.isStored,
      let model = context.lexicalContext.first?.as(ClassDeclSyntax.self)
    else {
      // What is computed is not kept anyway; to say so is no mistake.
      let isMeant = marker.lastName == Marker.transient.rawValue && variable != nil
      self = .elsewhere(isMeant ? nil : .misplaced(marker))
      return
    }
    guard model.mayBeModel else {
      // NB: no fix-it. The compiler does not tell where the class stands.
      self = .elsewhere(
        MacroProblem.withoutModel(marker.lastName, model.name.text).found(at: marker))
      return
    }
    self = .property(
      MarkedProperty(marker: marker, variable: variable, binding: variable.bindings.first))
  }

  /// What is wrong with the place, or else what `checks` find in the property.
  func problems(_ checks: (MarkedProperty) -> [Diagnostic?]) -> [Diagnostic] {
    switch self {
    case .property(let property): checks(property).compactMap(\.self)
    case .elsewhere(let problem): [problem].compactMap(\.self)
    }
  }
}

extension Diagnostic {
  fileprivate static func misplaced(_ marker: AttributeSyntax) -> Diagnostic {
    MacroProblem.misplaced(marker.lastName).found(at: marker, fix: .remove(marker))
  }
}

/// A marker of a property with what it stands on.
struct MarkedProperty {
  let marker: AttributeSyntax
  let variable: VariableDeclSyntax
  /// The property; nil where it cannot be one of a model.
  let binding: PatternBindingSyntax?

  var name: String { binding?.pattern.trimmedDescription ?? "" }

  var type: TypeSyntax? { binding?.typeAnnotation?.type }

  /// Whether there is an attribute that may be a property wrapper, which may have a value of its own.
  var hasWrapper: Bool {
    variable.writtenAttributes.contains {
      Marker(rawValue: $0.lastName) == nil && $0.lastName.first?.isUppercase == true
    }
  }

  /// The first other marker that cannot stand beside this one.
  func contradiction(with others: [Marker]) -> Diagnostic? {
    guard let other = others.lazy.compactMap(variable.attribute).first else { return nil }
    return MacroProblem.contradiction(marker.lastName, other.lastName).found(
      at: marker, fix: .remove(marker))
  }

  /// `unique` on a collection.
  var uniqueMany: Diagnostic? {
    guard let unique = marker.optionArguments.first(where: { $0.name == "unique" }),
      type?.isWrittenCollection == true
    else { return nil }
    return MacroProblem.uniqueMany.found(at: unique.expression)
  }

  /// An original name that says nothing.
  var originalName: Diagnostic? {
    guard let value = marker.argument("originalName")?.expression.as(StringLiteralExprSyntax.self)
    else { return nil }
    let text = value.segments.trimmedDescription
    if text.isEmpty { return MacroProblem.emptyOriginalName.found(at: value) }
    return text == name ? MacroProblem.sameOriginalName(name).found(at: value) : nil
  }
}

extension TypeSyntax {
  /// Whether the type is written as a collection of values.
  var isWrittenCollection: Bool {
    if let wrapped = wrappedType { return wrapped.isWrittenCollection }
    return self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self)
      || ["Array", "Dictionary", "Set"].contains(lastName)
  }

  /// The type of one object that a relationship of this type leads to.
  var relatedType: TypeSyntax {
    if let wrapped = wrappedType { return wrapped.relatedType }
    if let array = self.as(ArrayTypeSyntax.self) { return array.element.relatedType }
    guard ["Array", "Set"].contains(lastName), let element = genericArguments.first else {
      return trimmed
    }
    return element.relatedType
  }
}
