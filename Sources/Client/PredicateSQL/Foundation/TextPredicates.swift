public import Foundation

// What Foundation has on other platforms and lacks on Linux. The macro accepts the calls everywhere.
#if !canImport(Darwin)

  extension PredicateExpressions {
    /// Whether a text contains another as people search: neither case nor marks count.
    public struct TextContains<Root: PredicateExpression, Other: PredicateExpression>:
      PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
      /// The text to look into.
      public let root: Root
      /// The text to look for.
      public let other: Other

      /// Whether it is found.
      public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        let relation = QueryExpression.TextRelation.contains
        return relation.holds(
          String(try root.evaluate(bindings)), String(try other.evaluate(bindings)), .standard)
      }
    }

    /// How a text is ordered against another: as in a dictionary, or without regard to case.
    public struct TextOrder<Root: PredicateExpression, Other: PredicateExpression>:
      PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
      /// The text on the left.
      public let root: Root
      /// The text on the right.
      public let other: Other
      let isCaseInsensitive: Bool

      var options: QueryExpression.TextOptions { isCaseInsensitive ? .caseInsensitive : [] }

      /// The order of the two.
      public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
        let number = order(
          String(try root.evaluate(bindings)), String(try other.evaluate(bindings)), options)
        return number < 0 ? .orderedAscending : number > 0 ? .orderedDescending : .orderedSame
      }
    }

    /// What `$0.name.localizedStandardContains(text)` in a predicate becomes.
    public static func build_localizedStandardContains<Root, Other>(
      _ root: Root, _ other: Other
    ) -> TextContains<Root, Other> {
      TextContains(root: root, other: other)
    }

    /// What `$0.name.localizedCompare(text)` in a predicate becomes.
    public static func build_localizedCompare<Root, Other>(
      _ root: Root, _ other: Other
    ) -> TextOrder<Root, Other> {
      TextOrder(root: root, other: other, isCaseInsensitive: false)
    }

    /// What `$0.name.caseInsensitiveCompare(text)` in a predicate becomes.
    public static func build_caseInsensitiveCompare<Root, Other>(
      _ root: Root, _ other: Other
    ) -> TextOrder<Root, Other> {
      TextOrder(root: root, other: other, isCaseInsensitive: true)
    }
  }

  extension PredicateExpressions.TextContains: Sendable where Root: Sendable, Other: Sendable {}
  extension PredicateExpressions.TextContains: Codable where Root: Codable, Other: Codable {}
  extension PredicateExpressions.TextContains: StandardPredicateExpression
  where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

  extension PredicateExpressions.TextOrder: Sendable where Root: Sendable, Other: Sendable {}
  extension PredicateExpressions.TextOrder: Codable where Root: Codable, Other: Codable {}
  extension PredicateExpressions.TextOrder: StandardPredicateExpression
  where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

  extension PredicateExpressions.TextContains: QueryTranslatable {
    func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
      .text(.contains, try scope.translate(root), try scope.translate(other), .standard)
    }
  }

  extension PredicateExpressions.TextOrder: QueryTranslatable {
    func query(in scope: QueryScope) throws(QueryProblem) -> QueryExpression {
      .textOrder(try scope.translate(root), try scope.translate(other), options)
    }
  }

#endif
