import SwiftSyntax
import SwiftSyntaxBuilder

/// What `@Model` adds to a class.
struct ModelMembers {
  let model: ModelClass
  /// The superclass, when it is a model itself.
  let superclass: TypeSyntax?

  /// The members, the same ones for each class of a hierarchy.
  var all: [DeclSyntax] {
    [storage] + starting + [reading] + SchemaMembers(members: self).all
      + [defaults, visiting, firstRank, rankCount]
  }

  private var name: TokenSyntax { model.name }

  /// The modifiers of a member of the type that every class of a hierarchy has.
  var typeModifiers: String { model.access + overriding + (model.isFinal ? "static" : "class") }

  private var overriding: String { superclass == nil ? "" : "override " }

  // Each class of a hierarchy has storage of its own, which other classes cannot see: initializers set a
  // subclass's properties before its superclass's storage exists.
  private var storage: DeclSyntax {
    "@exclusivity(unchecked) private var _$model = Contrail.ModelStorage()"
  }

  /// One mark for all properties that start by themselves, and what sets it in every initializer.
  ///
  /// The second member is there since the compiler takes it that what the accessors for initializers
  /// set has no start of its own.
  private var starting: [DeclSyntax] {
    guard !model.syntax.isCertainlyRoot, model.properties.contains(where: \.startsByItself)
    else { return [] }
    return [
      "private var \(ModelClass.startMark): Contrail._NoValue",
      """
      private var _$start: Contrail._NoValue = Contrail._NoValue() {
      @storageRestrictions(initializes: \(ModelClass.startMark))
      init(initialValue) {
      \(ModelClass.startMark) = initialValue
      }
      get {
      \(ModelClass.startMark)
      }
      }
      """,
    ]
  }

  private var reading: DeclSyntax {
    """
    \(raw: model.access)required init(handle: consuming Contrail.ModelHandle) {
    \(raw: marks)_$model = Contrail.ModelStorage(handle)\(raw: readingSuper)
    }
    """
  }

  private var marks: String {
    guard !model.syntax.isCertainlyRoot else { return "" }
    return model.properties.filter { !$0.startsByItself }
      .map { "\($0.mark) = Contrail._NoValue()\n" }.joined()
  }

  private var readingSuper: String { superclass == nil ? "" : "\nsuper.init(handle: handle)" }

  private var defaults: DeclSyntax {
    let lines = model.properties.enumerated().compactMap { index, property in
      property.typedDefault.map { value in
        "\ndefaults.set\(property.coding.suffix)(\(rank(index)), \(value)\(property.coding.argument))"
      }
    }
    let inherited = superclass == nil ? "" : "\nsuper._$setDefaults(defaults)"
    return """
      \(raw: typeModifiers) func _$setDefaults(_ defaults: borrowing Contrail.ModelDefaults) {\
      \(raw: inherited)\(raw: lines.joined())
      }
      """
  }

  private var visiting: DeclSyntax {
    let inherited = superclass == nil ? "" : "super._$visit(&visitor)\n"
    return """
      \(raw: model.access)\(raw: overriding)func _$visit(_ visitor: inout Contrail.StorageVisitor) {
      \(raw: inherited)visitor.visit(&_$model)
      }
      """
  }

  // MARK: Ranks

  private func rank(_ index: Int) -> String {
    model.syntax.isCertainlyRoot ? "\(index)" : "_$firstRank + \(index)"
  }

  private var inheritedRanks: String {
    superclass.map { "\($0)._$rankCount(\($0).self)" } ?? "0"
  }

  private var firstRank: DeclSyntax {
    "private static var _$firstRank: Int { \(raw: inheritedRanks) }"
  }

  // The argument tells the classes of a hierarchy apart, without dispatch, so that it folds to a constant.
  private var rankCount: DeclSyntax {
    """
    \(raw: model.access)static func _$rankCount(_: \(name).Type) -> Int {
    \(raw: inheritedRanks) + \(raw: model.properties.count)
    }
    """
  }
}

extension ModelClass {
  /// The mark of all properties that start by themselves.
  static var startMark: TokenSyntax { "_$started" }
}
