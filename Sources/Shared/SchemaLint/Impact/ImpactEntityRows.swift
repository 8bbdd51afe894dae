import DataModel

extension ImpactRow {
  static let entityRows: [ImpactRow] = [
    ImpactRow(.entity, .added, .unseen) { site in
      let isAbstract = site.pair.new.schema?.entity(site.owner)?.isAbstract ?? false
      return isAbstract ? nil : "sees no \(site.owner) objects"
    },
    ImpactRow(.entity, .removed, .stale) { site in
      guard let entity = site.pair.old.schema?.entity(site.owner), !entity.isAbstract else {
        return nil
      }
      return "goes on showing and making \(site.owner) objects, which newer apps do not see"
    },
    ImpactRow(.entity, .renamed, .unseen) { site in
      guard let entity = site.entity, !entity.old.isAbstract else { return nil }
      return "goes on making \(site.oldName) objects, and does not see \(site.owner) objects, "
        + "as newer apps make them"
    },
    ImpactRow(.entity, .changed(.parent), .unseen) { site in
      guard site.pair.new.profile == .cloudkit, site.pair.hasOtherRoot(site.owner),
        let schema = site.pair.new.schema, let entity = site.entity
      else { return nil }
      return "does not see \(site.owner) objects that newer apps make, "
        + "whose records are of the type CD_\(schema.root(of: entity.new).name)"
    },
    ImpactRow(.entity, .changed(.isAbstract), .different) { site in
      guard let entity = site.entity else { return nil }
      return entity.new.isAbstract
        ? "goes on making \(site.owner) objects, which newer apps cannot show"
        : "cannot show objects of \(site.owner) itself, which newer apps make"
    },
    ImpactRow(.entity, .changed(.versionField), .different) { site in
      switch (site.before, site.after) {
      case (.none, _):
        "fetches every \(site.owner) object, as it knows nothing of the version field \(site.after)"
      case (_, .none):
        "takes every new \(site.owner) object for the lowest version, "
          + "as newer apps name no version field in place of \(site.before)"
      default:
        "goes on comparing \(site.owner).\(site.before), and not the version field \(site.after)"
      }
    },
    ImpactRow(.entity, .changed(.naturalKey), .different) { site in
      "takes \(site.owner) objects for duplicates by \(site.before), and newer apps by \(site.after)"
    },
  ]

  static let memberRows: [ImpactRow] = [
    ImpactRow(.member, .added, .unseen) { "does not see \($0.element)" },
    ImpactRow(.member, .removed, .stale) {
      "goes on showing \($0.element), which newer apps no longer fill"
    },
    ImpactRow(.member, .renamed, .stale) {
      "goes on showing \($0.oldName), and newer apps fill \($0.element) in its place"
    },
    ImpactRow(.member, .changed(.type), .refused) {
      "cannot read \($0.element) as newer apps write it: it was \($0.before) and is \($0.after)"
    },
  ]
}
