import RecordWire

/// The records that refer to others, each looked up once in a call, and only so many.
final class ReferenceSources {
  private let transaction: any StorageTransaction
  private let zone: ZoneKey
  private var known: [ExactName: [ReferenceSource]] = [:]
  private var left: Int

  /// Looks sources up until there are more than `limit`.
  init(_ zone: ZoneKey, _ transaction: any StorageTransaction, limit: Int) {
    self.zone = zone
    self.transaction = transaction
    left = max(0, limit)
  }

  /// The sources of each of the names; nil once there are too many.
  func sources(of names: [ExactName]) throws -> [(ExactName, [ReferenceSource])]? {
    let unknown = names.filter { known[$0] == nil }
    if !unknown.isEmpty {
      let most = left == .max ? left : left + 1
      let found = try transaction.sources(
        of: unknown.map { RecordKey(zone, $0.text) }, limit: most)
      guard found.count <= left else { return nil }
      left -= found.count
      for name in unknown { known[name] = [] }
      for source in found { known[ExactName(source.reference.target.name)]?.append(source) }
    }
    return names.map { ($0, known[$0] ?? []) }
  }
}

/// What the deletions of a call take with them, all of them in one walk, and which of them cannot be done.
///
/// A record that a validating reference keeps stays, and so does all that would take it along. One that
/// nothing takes any more stays too, and keeps what it refers to: each reference is looked at once.
struct CascadeWalk {
  /// Whether there was too much to look at.
  private(set) var isCut = false
  /// Records that are saved in the same call and go on referring to one that takes them along, with the name
  /// of that one.
  private(set) var takenSaves: [(save: Int, target: ExactName)] = []

  private let roots: Set<ExactName>
  private var followers: [ExactName: [ExactName]] = [:]
  private var leaders: [ExactName: [ExactName]] = [:]
  private var validated: [ExactName: [ExactName]] = [:]
  /// How many reasons a record has to go.
  private var reasons: [ExactName: Int] = [:]
  private var staying: Set<ExactName> = []

  /// Walks from records that are to be deleted to all that go with them.
  init(
    from roots: [ExactName], saves: [ExactName: ModifyDraft], _ sources: ReferenceSources
  ) throws {
    self.roots = Set(roots)
    for root in roots { reasons[root] = 1 }
    var validating: [(source: ExactName, target: ExactName)] = []
    var kept: [ExactName] = []
    var waiting = roots
    while !waiting.isEmpty {
      guard let found = try sources.sources(of: waiting) else {
        isCut = true
        break
      }
      waiting = []
      for (target, source) in found.flatMap({ target, list in list.map { (target, $0) } }) {
        let name = ExactName(source.record.name)
        if let draft = saves[name] {
          // A record that is written in this call may have other references by then.
          guard try draft.keeps(source.reference) else { continue }
          if source.reference.action == .validate { kept.append(target) }
          if source.reference.action == .deleteSelf { takenSaves.append((draft.index, target)) }
        } else if source.reference.action == .validate {
          validating.append((name, target))
        } else {
          if reasons[name] == nil { waiting.append(name) }
          reasons[name, default: 0] += 1
          followers[target, default: []].append(name)
          leaders[name, default: []].append(target)
        }
      }
    }
    for (source, target) in validating {
      if reasons[source] == nil { kept.append(target) }
      validated[source, default: []].append(target)
    }
    keep(kept)
  }

  /// Lets records stay, with all that follows from it.
  private mutating func keep(_ names: [ExactName]) {
    var waiting = names
    while let name = waiting.popLast() {
      guard staying.insert(name).inserted else { continue }
      waiting += leaders[name] ?? []
      waiting += validated[name] ?? []
      for follower in followers[name] ?? [] {
        reasons[follower, default: 1] -= 1
        if reasons[follower] == 0 { waiting.append(follower) }
      }
    }
  }

  /// Whether a deletion would leave a validating reference without its target.
  func isForbidden(_ root: ExactName) -> Bool { staying.contains(root) }

  /// All that goes, those included that were asked for.
  func deleted() -> Set<ExactName> {
    var found = roots.subtracting(staying)
    var waiting = Array(found)
    while let name = waiting.popLast() {
      for follower in followers[name] ?? [] where found.insert(follower).inserted {
        waiting.append(follower)
      }
    }
    return found
  }
}
