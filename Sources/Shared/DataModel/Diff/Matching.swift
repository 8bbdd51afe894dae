/// Which parts of two lists are the same part in two versions.
package struct Matching<Part: Sendable>: Sendable {
  /// Parts that both versions have.
  package var pairs: [(old: Part, new: Part)] = []
  /// Parts that only the new version has.
  package var added: [Part] = []
  /// Parts that only the old version has.
  package var removed: [Part] = []
}

extension Matching where Part: Named {
  /// Pairs parts by name.
  init(byName old: [Part], _ new: [Part]) {
    let oldByName = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    let newNames = Set(new.map(\.name))
    for part in new {
      if let before = oldByName[part.name] {
        pairs.append((before, part))
      } else {
        added.append(part)
      }
    }
    removed = old.filter { !newNames.contains($0.name) }
  }
}

extension Matching where Part: Renamable {
  /// Pairs parts by renaming identifier, then by name.
  package init(byIdentity old: [Part], _ new: [Part]) {
    // Most parts of two versions are the same, and few versions rename anything.
    if old.elementsEqual(new, by: { $0.isCalledLike($1) }) {
      pairs = zip(old, new).map { ($0, $1) }
      return
    }
    var draft = MatchingDraft(old, new)
    if new.contains(where: { $0.renamingIdentifier != nil }) { draft.claimByIdentifier() }
    draft.claimByName()
    if old.contains(where: { $0.renamingIdentifier != nil }) { draft.claimFirstNames() }
    for (index, part) in new.enumerated() {
      if let match = draft.partner[index] {
        pairs.append((old[match], part))
      } else {
        added.append(part)
      }
    }
    removed = old.indices.filter { draft.isFree[$0] }.map { old[$0] }
  }
}

/// Who is paired with whom so far; claims are made in the order of their strength.
private struct MatchingDraft<Part: Renamable> {
  private let old: [Part]
  private let new: [Part]
  /// For each new part, the place of its old one.
  private(set) var partner: [Int?]
  private(set) var isFree: [Bool]

  init(_ old: [Part], _ new: [Part]) {
    self.old = old
    self.new = new
    partner = Array(repeating: nil, count: new.count)
    isFree = Array(repeating: true, count: old.count)
  }

  /// A part that kept both name and identifier; then one whose identifier is the other's canonical
  /// name, or its plain name where each version points only one step back.
  mutating func claimByIdentifier() {
    claim({ $0.nameWithIdentifier }, { $0.nameWithIdentifier })
    claim({ $0.canonicalName }, { $0.renamingIdentifier })
    claim({ $0.name }, { $0.renamingIdentifier })
  }

  /// A part of the same name.
  mutating func claimByName() { claim({ $0.name }, { $0.name }) }

  /// A part that took its first name back.
  mutating func claimFirstNames() { claim({ $0.canonicalName }, { $0.name }) }

  private mutating func claim(_ oldKey: (Part) -> String?, _ newKey: (Part) -> String?) {
    var holders: [String: Int] = [:]
    for index in old.indices.reversed() where isFree[index] {
      if let key = oldKey(old[index]) { holders[key] = index }
    }
    for index in new.indices where partner[index] == nil {
      guard let key = newKey(new[index]), let match = holders.removeValue(forKey: key) else {
        continue
      }
      partner[index] = match
      isFree[match] = false
    }
  }
}

extension Renamable {
  /// Name and identifier together; nil without an identifier, since a plain name is a weak claim.
  fileprivate var nameWithIdentifier: String? { renamingIdentifier.map { "\(name)\n\($0)" } }

  fileprivate func isCalledLike(_ other: some Renamable) -> Bool {
    name == other.name && renamingIdentifier == other.renamingIdentifier
  }
}
