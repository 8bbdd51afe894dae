import DataModel

extension ImpactRow {
  /// What record files tell, and what a model tells beside one.
  static let recordRows: [ImpactRow] =
    [
      ImpactRow(.recordType, .added, .unseen) { site in
        site.isMadeBySystem ? nil : "sees no \(site.shown) records"
      },
      ImpactRow(.recordType, .removed, .stale) { site in
        site.isUnspoken
          ? nil : "goes on showing and making \(site.shown) records, which newer apps do not see"
      },
      ImpactRow(.field, .added, .unseen) { site in
        site.isMadeBySystem
          ? nil : "does not see \(site.shown), and keeps its value when it edits a record"
      },
      ImpactRow(.field, .removed, .stale) { site in
        site.isUnspoken ? nil : "goes on showing \(site.shown), which newer apps no longer fill"
      },
      ImpactRow(.field, .changed(.type), .refused) {
        "cannot read \($0.shown) as newer apps write it: it was \($0.before) and is \($0.after)"
      },
      ImpactRow(.field, .changed(.isList), .refused) {
        "cannot read \($0.shown) as newer apps write it: "
          + ($0.after == .flag(true) ? "it is a list now" : "it is a single value now")
      },
      ImpactRow(.field, .changed(.isEncrypted), .refused) {
        "cannot read \($0.shown) of records that newer apps write"
      },
      ImpactRow(.role, .removed, .refused) { "loses what \($0.element) let its users do" },
      ImpactRow(.grant, .removed, .refused) { site in
        guard case .grant(let type, let role) = site.element, site.isOfFiles else { return nil }
        return "may do less with \(type) records for users in the role \(role)"
      },
    ] + queryRows + grantRows

  private static let queryRows: [ImpactRow] =
    [Aspect.queryable, .searchable, .sortable].map { aspect in
      ImpactRow(.field, .changed(aspect), .refused) { site in
        guard site.isOfFiles, site.after == .flag(false) else { return nil }
        return "gets errors for queries that need \(site.element) to be \(aspect.rawValue)"
      }
    }

  private static let grantRows: [ImpactRow] =
    [Aspect.read, .create, .write].map { aspect in
      ImpactRow(.grant, .changed(aspect), .refused) { site in
        guard case .grant(let type, let role) = site.element, site.isOfFiles,
          site.after == .flag(false)
        else { return nil }
        return "may not \(aspect.rawValue) \(type) records for users in the role \(role)"
      }
    }
}

extension ImpactSite {
  /// Whether both sides are record files, which alone tell of indexes and grants.
  fileprivate var isOfFiles: Bool { pair.old.schema == nil && pair.new.schema == nil }

  /// Whether no person writes the part, and no app shows it.
  fileprivate var isMadeBySystem: Bool {
    let naming = RecordNaming(profile: pair.new.profile)
    switch element {
    case .recordType(let type): return naming.isMadeByMirroring(type: type)
    case .field(_, let name):
      return name.hasPrefix("___") || naming.isMadeByMirroring(field: name)
        || naming.base(ofTwin: name) != nil
    default: return false
    }
  }

  /// Whether the part is missing only because this kind of file does not name it.
  fileprivate var isUnspoken: Bool {
    if isMadeBySystem { return true }
    switch pair.fate(of: element) {
    case .unspoken, .twin: return true
    case .gone, .renamed, .becameToMany, .transient, .moved: return false
    }
  }
}
