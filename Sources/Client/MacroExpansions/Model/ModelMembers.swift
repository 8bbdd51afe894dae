import SwiftSyntax
import SwiftSyntaxBuilder

/// What `@Model` adds to a class.
///
/// All of it is `nonisolated`, whatever isolation the class has: contexts make and visit objects wherever
/// they work.
struct ModelMembers {
  let model: ModelClass
  /// The superclass, when it is a model itself.
  let superclass: TypeSyntax?

  /// The members, the same ones for each class of a hierarchy.
  var all: [DeclSyntax] {
    [storage] + starting + givingStart + [reading] + SchemaMembers(members: self).all + defaults
      + [visiting] + ranks
  }

  /// The modifiers of a member of the type that every class of a hierarchy has.
  var typeModifiers: String { objectModifiers + (model.isFinal ? "static" : "class") }

  /// The modifiers of a member of an object that every class of a hierarchy has.
  private var objectModifiers: String {
    "\(model.accessOfOverridable)nonisolated \(superclass == nil ? "" : "override ")"
  }

  private var name: TokenSyntax { model.name }

  // Each class of a hierarchy has storage of its own, which other classes cannot see: initializers set a
  // subclass's properties before its superclass's storage exists. It is unsafe for the compiler only where
  // the class may have an isolation; then everything that users can call has it too. (And where the class
  // says that it is Sendable, which is reported, or unchecked.) A context has one isolation, which is what
  // stands for the check of exclusivity; so says `unsafe` where it is used.
  private var storage: DeclSyntax {
    let isApart = model.mayBeIsolated || model.sendable != nil
    let isolation = isApart ? "nonisolated(unsafe) " : ""
    return
      "@exclusivity(unchecked) private \(raw: isolation)var _$model = Contrail.ModelStorage()"
  }

  // MARK: Marks for initializers

  /// One mark for all properties that start by themselves, and what sets it in every initializer.
  ///
  /// The second member is there since the compiler takes it that what the accessors for initializers
  /// set has no start of its own.
  private var starting: [DeclSyntax] {
    guard !model.syntax.isCertainlyRoot, model.properties.contains(where: \.startsByItself)
    else { return [] }
    return [
      "private nonisolated(unsafe) var \(ModelClass.startMark): Contrail._NoValue",
      """
      private nonisolated var _$start: Contrail._NoValue = Contrail._NoValue() {
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

  /// What gives the defaults that are others each time, before there is a whole object: an object that is
  /// read from a store does not pass here.
  private var givingStart: [DeclSyntax] {
    guard !model.syntax.isCertainlyRoot, model.properties.contains(where: \.startsAnew) else {
      return []
    }
    let lines = model.properties.enumerated().compactMap { index, property -> String? in
      guard property.startsAnew, let value = property.typedDefault else { return nil }
      let coding = property.coding
      return "_$storage.initialize\(coding.suffix)(\(rank(index)), \(value)\(coding.argument))"
    }
    return [
      """
      private static func _$giveStart(_ _$storage: inout Contrail.ModelStorage) {
      \(raw: lines.joined(separator: "\n"))
      }
      """
    ]
  }

  private var marks: [String] {
    guard !model.syntax.isCertainlyRoot else { return [] }
    return model.properties.filter { !$0.startsByItself }
      .map { "\($0.mark) = Contrail._NoValue()" }
  }

  // MARK: Making and visiting objects

  private var reading: DeclSyntax {
    let own = marks + ["unsafe _$model = Contrail.ModelStorage(handle)"]
    let lines = superclass == nil ? own : own + ["super.init(handle: handle)"]
    return """
      \(raw: model.access)nonisolated required init(handle: consuming Contrail.ModelHandle) {
      \(raw: lines.joined(separator: "\n"))
      }
      """
  }

  private var visiting: DeclSyntax {
    let own = ["unsafe visitor.visit(&_$model)"]
    let lines = superclass == nil ? own : ["super._$visit(&visitor)"] + own
    return """
      \(raw: objectModifiers)func _$visit(_ visitor: inout Contrail.StorageVisitor) {
      \(raw: lines.joined(separator: "\n"))
      }
      """
  }

  // MARK: Defaults

  private var defaults: [DeclSyntax] {
    let parameter = "(_ _$defaults: borrowing Contrail.ModelDefaults)"
    let inherited = superclass == nil ? [] : ["super._$setDefaults(_$defaults)"]
    let own = defaultLines
    let isApart = model.mayBeIsolated && !own.isEmpty
    let call = "Contrail._unisolated(_$setOwnDefaults, as: Contrail.ModelDefaults._Function.self)"
    let lines = inherited + (isApart ? ["\(call)(_$defaults)"] : own)
    let all: DeclSyntax = """
      \(raw: typeModifiers) func _$setDefaults\(raw: parameter) {
      \(raw: lines.joined(separator: "\n"))
      }
      """
    guard isApart else { return [all] }
    return [
      all,
      """
      private static func _$setOwnDefaults\(raw: parameter) {
      \(raw: own.joined(separator: "\n"))
      }
      """,
    ]
  }

  private var defaultLines: [String] {
    model.properties.enumerated().compactMap { index, property in
      guard let value = property.typedDefault else { return nil }
      let coding = property.coding
      return "_$defaults.set\(coding.suffix)(\(rank(index)), \(value)\(coding.argument))"
    }
  }

  // MARK: Ranks

  private func rank(_ index: Int) -> String {
    model.syntax.isCertainlyRoot ? "\(index)" : "_$firstRank + \(index)"
  }

  private var inheritedRanks: String? {
    superclass.map { "\($0)._$rankCount(\($0).self)" }
  }

  private var ranks: [DeclSyntax] {
    (model.syntax.isCertainlyRoot ? [] : [firstRank]) + (model.isFinal ? [] : [rankCount])
  }

  private var firstRank: DeclSyntax {
    "private nonisolated static var _$firstRank: Int { \(raw: inheritedRanks ?? "0") }"
  }

  // The argument tells the classes of a hierarchy apart, without dispatch, so that it folds to a constant,
  // also in a subclass of another module.
  private var rankCount: DeclSyntax {
    let inherited = inheritedRanks.map { "\($0) + " } ?? ""
    let inlinable = model.access == "public " ? "@inlinable " : ""
    return """
      \(raw: inlinable + model.access)nonisolated static func _$rankCount(_: \(name).Type) -> Int {
      \(raw: inherited)\(raw: model.properties.count)
      }
      """
  }
}

extension ModelClass {
  /// The mark of all properties that start by themselves.
  static var startMark: TokenSyntax { "_$started" }
}
