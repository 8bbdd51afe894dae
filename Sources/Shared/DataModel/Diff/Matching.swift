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
  /// What a claim compares: a key of the old part with a key of the new one.
  private typealias Claim = (old: (Part) -> String?, new: (Part) -> String?)

  /// Pairs parts by renaming identifier, then by name.
  ///
  /// The claims are made in the order of their strength: a part that kept both name and identifier;
  /// one whose identifier is the other's canonical name, or its plain name where each version points
  /// only one step back; one of the same name; one that took its first name back.
  package init(byIdentity old: [Part], _ new: [Part]) {
    let claims: [Claim] = [
      (\.nameWithIdentifier, \.nameWithIdentifier),
      (\.canonicalName, \.renamingIdentifier),
      (\.name, \.renamingIdentifier),
      (\.name, \.name),
      (\.canonicalName, \.name),
    ]
    var partner = [Int?](repeating: nil, count: new.count)
    var isFree = [Bool](repeating: true, count: old.count)
    for claim in claims where isFree.contains(true) && partner.contains(nil) {
      let free = old.indices.filter { isFree[$0] }
      var holders = Dictionary(free.map { (claim.old(old[$0]), $0) }) { first, _ in first }
      for index in new.indices where partner[index] == nil {
        guard let key = claim.new(new[index]), let match = holders.removeValue(forKey: key) else {
          continue
        }
        partner[index] = match
        isFree[match] = false
      }
    }
    for (index, part) in new.enumerated() {
      if let match = partner[index] {
        pairs.append((old[match], part))
      } else {
        added.append(part)
      }
    }
    removed = old.indices.filter { isFree[$0] }.map { old[$0] }
  }
}

extension Renamable {
  /// Name and identifier together; nil without an identifier, since a plain name is a weak claim.
  fileprivate var nameWithIdentifier: String? { renamingIdentifier.map { "\(name)\n\($0)" } }
}
