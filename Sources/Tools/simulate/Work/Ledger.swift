/// What people did in a world, as they saw it: what checkers hold the outcome against.
struct Ledger {
  /// A field of an object.
  struct Place: Hashable {
    var uid: String
    var field: String
  }

  /// A value that somebody wrote.
  struct Edit {
    var value: String
    /// The device.
    var device: Int
    /// What stood there, and was seen, when it was written.
    var replaced: String?
  }

  /// What was written to fields whose last edit wins.
  private(set) var edits: [Place: [Edit]] = [:]
  /// What was written to fields with files: the first line of the bytes, or what stands for none.
  private(set) var files: [Place: [Edit]] = [:]
  /// What was added to fields that count, in all.
  private(set) var sums: [Place: Int64] = [:]
  /// The objects that somebody deleted.
  private(set) var deleted: Set<String> = []
  /// The entities of all objects.
  private(set) var entities: [String: String] = [:]
  /// Who made them.
  private var makers: [String: Int] = [:]
  /// What devices have given up that decided about what the server has lost.
  private var givenUp: Set<String> = []
  /// What devices that have given up the rest sent again all the same, since they had not sent it.
  private var rescued: [Int: Set<String>] = [:]
  /// What each device has sent again, or will.
  private var kept: [Int: Set<String>] = [:]

  /// Adds what was done in one transaction.
  mutating func add(_ acts: [Act]) {
    for act in acts {
      switch act {
      case .insert(let uid, let entity, let device):
        (entities[uid], makers[uid]) = (entity, device)
      case .edit(let place, let edit): edits[place, default: []].append(edit)
      case .file(let place, let edit): files[place, default: []].append(edit)
      case .count(let place, let added): sums[place, default: 0] += added
      case .delete(let uid): deleted.insert(uid)
      }
    }
  }

  /// Something that somebody did.
  enum Act {
    case insert(uid: String, entity: String, device: Int)
    case edit(Place, Edit)
    case file(Place, Edit)
    case count(Place, Int64)
    case delete(uid: String)
  }

  /// The values of a field that nobody has written over knowingly; one of them has to stand in the end.
  func newest(_ place: Place) -> [String] { newest(edits[place] ?? [], place) }

  /// The same of a field with files.
  func newestFiles(_ place: Place) -> [String] { newest(files[place] ?? [], place) }

  /// What nobody has written over, as far as that is not lost.
  private func newest(_ all: [Edit], _ place: Place) -> [String] {
    let before = Dictionary(all.map { ($0.value, $0.replaced) }) { first, _ in first }
    var replaced: Set<String> = []
    for edit in all where !mayBeLost(Self.key(place, edit.value)) {
      var next = edit.replaced
      while let value = next, replaced.insert(value).inserted { next = before[value] ?? nil }
    }
    return all.map(\.value).filter { !replaced.contains($0) }
  }
}

// What may be lost with a server. Objects are told by their `uid`, and edits by `key`.
extension Ledger {
  /// What tells an edit.
  static func key(_ place: Place, _ value: String) -> String {
    "\(place.uid).\(place.field)=\(value)"
  }

  /// Whether an object or an edit may be lost: who made it has given it up, and nobody has sent it again.
  func mayBeLost(_ key: String) -> Bool {
    givenUp.contains(key) && !kept.values.contains { $0.contains(key) }
  }

  /// Whether all values of a field may be lost.
  func isAllLost(_ place: Place) -> Bool {
    ((edits[place] ?? []) + (files[place] ?? [])).allSatisfy {
      mayBeLost(Self.key(place, $0.value))
    }
  }

  /// Notes what a device that has decided about what the server has lost still has.
  mutating func noteDecision(of device: Int, sendsAgain: Bool, kept keys: Set<String>) {
    if sendsAgain { return kept[device, default: []].formUnion(keys) }
    givenUp.formUnion(makers.filter { $0.value == device }.map(\.key))
    giveUpEdits(of: device) { _ in true }
    givenUp.formUnion(rescued[device] ?? [])
    givenUp.subtract(keys)
    rescued[device] = keys
  }

  /// Notes that a device does not send again what it once did to objects that it does not see: they are for later
  /// versions of the program now.
  mutating func noteUnseen(_ uids: Set<String>, by device: Int) {
    giveUpEdits(of: device) { uids.contains($0.uid) }
    keepNothing(of: device) { uids.contains($0.uid) }
  }

  /// Notes that a device waits for the files of fields by objects: what it had there itself gave way to what has not
  /// come, and that it took something away looks like never having had it.
  mutating func noteAwaiting(_ fields: [String: [String]], by device: Int) {
    giveUpEdits(of: device) { fields[$0.uid]?.contains($0.field) == true }
    keepNothing(of: device) { fields[$0.uid]?.contains($0.field) == true }
  }

  /// What a device had at an earlier loss, it has no more.
  private mutating func keepNothing(of device: Int, where isGone: (Place) -> Bool) {
    for (place, all) in edits.merging(files, uniquingKeysWith: +) where isGone(place) {
      for edit in all { kept[device]?.remove(Self.key(place, edit.value)) }
    }
  }

  private mutating func giveUpEdits(of device: Int, where isGivenUp: (Place) -> Bool) {
    for (place, all) in edits.merging(files, uniquingKeysWith: +) where isGivenUp(place) {
      for edit in all where edit.device == device { givenUp.insert(Self.key(place, edit.value)) }
    }
  }
}
