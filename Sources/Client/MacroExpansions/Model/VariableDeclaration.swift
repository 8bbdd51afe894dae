import SwiftSyntax

/// The attributes that the macros know.
enum Marker: String {
  case model = "Model"
  case attribute = "Attribute"
  case relationship = "Relationship"
  case transient = "Transient"
}

extension WithAttributesSyntax {
  /// The attribute that `marker` names, with its module's name or without.
  func attribute(_ marker: Marker) -> AttributeSyntax? {
    writtenAttributes.first { $0.lastName == marker.rawValue }
  }

  /// Whether there is an attribute that `marker` names.
  func has(_ marker: Marker) -> Bool { attribute(marker) != nil }

  /// The attributes, without those inside `#if`.
  var writtenAttributes: [AttributeSyntax] {
    attributes.compactMap { $0.as(AttributeSyntax.self) }
  }
}

extension ClassDeclSyntax {
  /// Whether `@Model` is written on the class, or may be in one of the conditions of an `#if`.
  var mayBeModel: Bool { has(.model) || attributes.contains { $0.is(IfConfigDeclSyntax.self) } }
}

extension WithModifiersSyntax {
  /// Whether there is the modifier `keyword`, with no detail such as `(set)`.
  func has(modifier keyword: Keyword) -> Bool { modifier(keyword) != nil }

  /// The modifier `keyword`, with no detail such as `(set)`.
  func modifier(_ keyword: Keyword) -> DeclModifierSyntax? {
    modifiers.first { $0.name.tokenKind == .keyword(keyword) && $0.detail?.detail.text != "set" }
  }
}

extension WithModifiersSyntax {
  /// The access level that a type's members need to be as visible as the type, with a space behind it, or
  /// nothing.
  func accessOfMembers(inside context: [Syntax]) -> String {
    if has(modifier: .public) || has(modifier: .open) { return "public " }
    if has(modifier: .package) { return "package " }
    let levels: [Keyword] = [.internal, .fileprivate, .private]
    guard !levels.contains(where: has(modifier:)),
      let scope = context.first?.as(ExtensionDeclSyntax.self)
    else { return "" }
    // What an extension declares has the level that is written on the extension.
    return scope.accessOfMembers(inside: [])
  }
}

extension AttributeSyntax {
  /// The attribute's name without that of its module.
  var lastName: String {
    if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
    return attributeName.as(IdentifierTypeSyntax.self)?.name.text
      ?? attributeName.trimmedDescription
  }

  /// The arguments, if the attribute has any.
  var labeledArguments: LabeledExprListSyntax {
    guard case .argumentList(let list) = arguments else { return [] }
    return list
  }

  /// The argument with the label `label`.
  func argument(_ label: String) -> LabeledExprSyntax? {
    labeledArguments.first { $0.label?.text == label }
  }

  /// The names of the options, such as `unique` of `.unique` and `transformable` of
  /// `.transformable(by: Coder.self)`.
  var options: [String] { optionArguments.map(\.name) }

  /// The options with the expressions that give them.
  var optionArguments: [(name: String, expression: ExprSyntax)] {
    // NB: not filtered first, which would make a list of nodes that have no place in the source.
    labeledArguments.compactMap { argument in
      guard argument.label == nil else { return nil }
      return argument.expression.optionName.map { ($0, argument.expression) }
    }
  }
}

extension ExprSyntax {
  /// The name of the option that the expression is by its form: a member of `Option`, called or not.
  var optionName: String? {
    let called = self.as(FunctionCallExprSyntax.self)?.calledExpression
    guard let member = (called ?? self).as(MemberAccessExprSyntax.self) else { return nil }
    if let type = member.base,
      type.as(MemberAccessExprSyntax.self)?.declName.baseName.text != "Option"
    {
      return nil
    }
    return member.declName.baseName.text
  }
}

extension VariableDeclSyntax {
  /// Whether each object has memory of its own for the variable.
  var isStored: Bool {
    !has(modifier: .static) && !has(modifier: .class)
      && !bindings.contains { $0.accessorBlock?.isComputed == true }
  }

  /// Whether it is a `let`.
  var isConstant: Bool { bindingSpecifier.tokenKind == .keyword(.let) }
}

extension AccessorBlockSyntax {
  /// The blocks that run around a change.
  var observers: [AccessorDeclSyntax] {
    guard case .accessors(let list) = accessors else { return [] }
    return list.filter { $0.isObserver }
  }

  /// Whether there is a block that makes the value.
  var isComputed: Bool {
    guard case .accessors(let list) = accessors else { return true }
    return list.contains { !$0.isObserver }
  }
}

extension AccessorDeclSyntax {
  fileprivate var isObserver: Bool {
    [.keyword(.willSet), .keyword(.didSet)].contains(accessorSpecifier.tokenKind)
  }
}
