import SwiftDiagnostics
import SwiftSyntax

/// What `@Model` checks in the declarations of stored properties.
enum PropertyChecks {
  /// The problems with `variable`; the first that stands in the way hides the others.
  static func problems(with variable: VariableDeclSyntax) -> [Diagnostic] {
    guard !variable.has(.transient) else { return [] }
    if let problem = shape(variable) { return [problem] }
    guard let property = ModelProperty(variable) else { return [] }
    return [reserved(property), unsupported(property)].compactMap { $0 }
      + observers(property) + wrappers(property)
  }

  /// What keeps `variable` from being a property of a model.
  private static func shape(_ variable: VariableDeclSyntax) -> Diagnostic? {
    if variable.bindings.count > 1, let second = variable.bindings.dropFirst().first {
      return MacroProblem.severalInOne.found(at: second.pattern, fix: .split(variable))
    }
    guard let pattern = variable.bindings.first?.pattern else { return nil }
    guard let name = pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
      return MacroProblem.pattern.found(at: pattern)
    }
    if let lazy = variable.modifier(.lazy) {
      return MacroProblem.lazy(name).found(at: lazy, fix: .markTransient(variable))
    }
    guard let reference = variable.modifier(.weak) ?? variable.modifier(.unowned) else {
      return nil
    }
    return MacroProblem.reference(name, reference.name.text).found(
      at: reference, fix: .remove(reference))
  }

  // MARK: Names

  private static func reserved(_ property: ModelProperty) -> Diagnostic? {
    names[property.storedName].map { $0(property.storedName).found(at: property.shownName) }
  }

  /// Names that stand for something in every model, or in every object of Apple's platforms.
  private static let names: [String: @Sendable (String) -> MacroProblem] = [
    "description": MacroProblem.namedAsInObjects,
    "hasChanges": MacroProblem.hidingName,
    "hash": MacroProblem.namedAsInObjects,
    "hashValue": MacroProblem.reservedName,
    "isDeleted": MacroProblem.hidingName,
    "modelContext": MacroProblem.reservedName,
    "persistentBackingData": MacroProblem.reservedName,
    "persistentModelID": MacroProblem.reservedName,
  ]

  // MARK: Types

  private static func unsupported(_ property: ModelProperty) -> Diagnostic? {
    guard property.coding.suffix != "Transformable",
      let type = property.binding.typeAnnotation?.type,
      let kind = type.unsupportedKind
    else { return nil }
    let fix = property.startsByItself ? FixIt.markTransient(property.declaration) : nil
    return MacroProblem.unsupportedType(property.storedName, kind).found(at: type, fix: fix)
  }

  // MARK: Observers and wrappers

  private static func observers(_ property: ModelProperty) -> [Diagnostic] {
    let observers = property.binding.accessorBlock?.observers ?? []
    return observers.map { observer in
      let kind = observer.accessorSpecifier
      return MacroProblem.observer(kind.text, property.storedName).found(at: kind)
    }
  }

  /// What may be a property wrapper: attributes of the language begin with a small letter, those of global
  /// actors end with their kind.
  private static func wrappers(_ property: ModelProperty) -> [Diagnostic] {
    let variable = property.declaration
    return variable.writtenAttributes.filter { attribute in
      let name = attribute.lastName
      return Marker(rawValue: name) == nil && name.first?.isUppercase == true
        && !name.hasSuffix("Actor")
    }.map { attribute in
      MacroProblem.wrapper(attribute.lastName, property.storedName).found(
        at: attribute, fix: .markTransient(variable))
    }
  }
}

extension TypeSyntax {
  /// What the type is, if it is one by its form that no store keeps.
  var unsupportedKind: String? {
    if let wrapped = wrappedType { return wrapped.unsupportedKind }
    if let attributed = self.as(AttributedTypeSyntax.self) {
      return attributed.baseType.unsupportedKind
    }
    if let array = self.as(ArrayTypeSyntax.self) { return array.element.unsupportedKind }
    if let tuple = self.as(TupleTypeSyntax.self) {
      let isParenthesized = tuple.elements.count == 1 && tuple.elements.first?.firstName == nil
      return isParenthesized ? tuple.elements.first?.type.unsupportedKind : "a tuple"
    }
    if self.is(FunctionTypeSyntax.self) { return "a function" }
    if self.is(MetatypeTypeSyntax.self) { return "a type" }
    if let constrained = self.as(SomeOrAnyTypeSyntax.self) {
      let isOpaque = constrained.someOrAnySpecifier.tokenKind == .keyword(.some)
      return isOpaque ? "of an opaque type" : "of any type that has a protocol"
    }
    return ["Any", "AnyHashable", "AnyObject"].contains(trimmedDescription)
      ? "of any type" : nil
  }
}
