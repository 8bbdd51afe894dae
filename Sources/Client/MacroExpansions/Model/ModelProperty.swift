import SwiftSyntax

/// A property of a model class that a store keeps, as it is written.
struct ModelProperty {
  /// The whole declaration.
  let declaration: VariableDeclSyntax
  /// Its one binding.
  let binding: PatternBindingSyntax
  /// The name as it is written, which may be in backticks.
  let name: TokenSyntax

  /// The property that `declaration` declares; nil when it is not one that a store keeps, and when
  /// it is one that cannot be kept as it is written.
  init?(_ declaration: VariableDeclSyntax) {
    guard declaration.isStored, !declaration.has(.transient),
      !declaration.has(modifier: .override), !declaration.has(modifier: .lazy),
      declaration.bindings.count == 1, let binding = declaration.bindings.first,
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
    else { return nil }
    self.declaration = declaration
    self.binding = binding
    name = pattern.identifier.trimmed
  }

  /// The name without backticks, by which the store knows the property.
  var storedName: String { name.identifier?.name ?? name.text }

  /// The name where it stands, to point at.
  var shownName: PatternSyntax { binding.pattern }

  /// The name of the empty member that stands for the property in initializers.
  var mark: TokenSyntax { .identifier("_$has_\(storedName)") }

  /// The type as it is written; nil when it follows from the default value.
  var type: TypeSyntax? { binding.typeAnnotation?.type.trimmed }

  /// The type as an expression can be given it: `T!` is `T?` there.
  var castType: TypeSyntax? {
    guard let implicit = type?.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) else { return type }
    return TypeSyntax(OptionalTypeSyntax(wrappedType: implicit.wrappedType))
  }

  /// The default value as it is written.
  var defaultValue: ExprSyntax? { binding.initializer?.value.trimmed }

  /// Whether an object may begin without a value that somebody gave it.
  var startsByItself: Bool { defaultValue != nil || type?.isWrittenOptional == true }

  /// Whether the default value may be another one for each object.
  var startsAnew: Bool { defaultValue?.isConstant == false }

  /// The default value as an expression that has the property's type.
  var typedDefault: String? {
    guard let defaultValue else { return nil }
    guard let castType else { return defaultValue.description }
    return "\(defaultValue.inParentheses) as \(castType)"
  }

  /// The default value, typed, when a schema can hold it: every object begins with the same one.
  var constantDefault: String? {
    guard let defaultValue, defaultValue.isConstant, !defaultValue.is(NilLiteralExprSyntax.self)
    else {
      return nil
    }
    return typedDefault
  }

  /// What the store is told of the property, in the words of the user; nil when nothing was said.
  var marker: AttributeSyntax? {
    declaration.attribute(.attribute) ?? declaration.attribute(.relationship)
  }

  /// How the values are stored.
  var coding: PropertyCoding {
    let options = declaration.attribute(.attribute)?.optionArguments ?? []
    for option in options {
      guard let row = PropertyCoding.rows[option.name] else { continue }
      return row(option.expression)
    }
    return PropertyCoding()
  }
}

extension TypeSyntax {
  /// Whether the type is written as an optional one.
  var isWrittenOptional: Bool { wrappedType != nil }

  /// The type that an optional one wraps; nil when this is not written as an optional one.
  var wrappedType: TypeSyntax? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
    if let implicit = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return implicit.wrappedType
    }
    let written = trimmedDescription
    guard ["Optional<", "Swift.Optional<"].contains(where: written.hasPrefix) else { return nil }
    return genericArguments.first
  }

  /// The types between angle brackets.
  var genericArguments: [TypeSyntax] {
    let clause =
      self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
    return clause?.arguments.compactMap { argument in
      guard case .type(let type) = argument.argument else { return nil }
      return type
    } ?? []
  }
}

extension ExprSyntax {
  /// Whether the expression says by its form that it has one value: a literal, or a member such as `.car`.
  var isConstant: Bool {
    if let text = self.as(StringLiteralExprSyntax.self) {
      return text.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
    }
    if let array = self.as(ArrayExprSyntax.self) {
      return array.elements.allSatisfy(\.expression.isConstant)
    }
    if let minus = self.as(PrefixOperatorExprSyntax.self) { return minus.expression.isConstant }
    if let member = self.as(MemberAccessExprSyntax.self) {
      return member.declName.baseName.text != "now"
        && member.base?.is(DeclReferenceExprSyntax.self) != false
    }
    return self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
      || self.is(BooleanLiteralExprSyntax.self) || self.is(NilLiteralExprSyntax.self)
  }

  /// The expression as it can stand before `as`.
  var inParentheses: String {
    // A condition is an expression in few places, of which this is none.
    if self.is(IfExprSyntax.self) || self.is(SwitchExprSyntax.self) {
      return "{ \(trimmedDescription) }()"
    }
    let isSequence =
      self.is(SequenceExprSyntax.self) || self.is(InfixOperatorExprSyntax.self)
      || self.is(TernaryExprSyntax.self) || self.is(TryExprSyntax.self)
      || self.is(AwaitExprSyntax.self)
    return isSequence ? "(\(trimmedDescription))" : trimmedDescription
  }
}
