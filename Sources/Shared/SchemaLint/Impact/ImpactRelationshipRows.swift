import DataModel

extension ImpactRow {
  static let relationshipRows: [ImpactRow] =
    [
      ImpactRow(.relationship, .added, .unseen) { site in
        site.gain.map { _ in
          "does not see \(site.element), and keeps it when it edits an object"
        }
      },
      ImpactRow(.relationship, .removed, .different) { $0.sentenceOfSwitch },
      ImpactRow(.relationship, .removed, .stale) { site in
        site.loss.map { _ in
          "goes on showing \(site.element), which newer apps no longer fill: it stays empty for "
            + "objects that they make"
        }
      },
      ImpactRow(.relationship, .renamed, .stale) { site in
        site.mirrored.map { _ in
          "goes on showing \(site.oldName), and newer apps fill \(site.element) in its place"
        }
      },
      ImpactRow(.relationship, .changed(.cardinality), .different) { site in
        site.relationship.map {
          "takes \(site.element) for \($0.old.cardinalityInWords), "
            + "and does not see what newer apps put there"
        }
      },
      ImpactRow(.relationship, .changed(.destination), .different) { site in
        site.relationship.map { _ in
          "expects \(site.before) objects in \(site.element), which stays empty for it where newer "
            + "apps put \(site.after) objects"
        }
      },
    ] + relationshipRuleRows

  private static let relationshipRuleRows: [ImpactRow] = [
    ImpactRow(.relationship, .changed(.deleteRule), .different) { site in
      site.relationship.map {
        "goes by the delete rule \($0.old.deleteRule) of \(site.element), "
          + "and newer apps by \($0.new.deleteRule)"
      }
    },
    ImpactRow(.relationship, .changed(.isOrdered), .different) { site in
      site.relationship.map {
        $0.new.isOrdered
          ? "keeps no order in \(site.element), and newer apps do"
          : "keeps an order in \(site.element), and newer apps do not"
      }
    },
    ImpactRow(.relationship, .changed(.isOptional), .different) { site in
      guard let pair = site.relationship,
        pair.old.mustHoldSomething != pair.new.mustHoldSomething
      else { return nil }
      return pair.new.isOptional
        ? "meets objects with nothing in \(site.element), which it requires"
        : "goes on making objects with nothing in \(site.element), which newer apps require"
    },
    ImpactRow(.relationship, .changed(.minimumCount), .different) { site in
      site.relationship.map { _ in
        "goes by the minimum count \(site.before) of \(site.element), "
          + "and newer apps by \(site.after)"
      }
    },
    ImpactRow(.relationship, .changed(.maximumCount), .different) { site in
      site.relationship.map {
        "goes by \(maximum($0.old)) of \(site.element), and newer apps by \(maximum($0.new))"
      }
    },
  ]

  private static func maximum(_ relationship: Schema.Relationship) -> String {
    relationship.maximumCount == 0
      ? "no maximum count" : "the maximum count \(relationship.maximumCount)"
  }
}

extension ImpactSite {
  /// The relationship in both versions, where records hold something of it.
  fileprivate var mirrored: PropertyPair<Schema.Relationship>? {
    relationship.flatMap { pair.old.isInRecords($0.old) ? $0 : nil }
  }
}
