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

  /// Adds what was done in one transaction.
  mutating func add(_ acts: [Act]) {
    for act in acts {
      switch act {
      case .insert(let uid, let entity): entities[uid] = entity
      case .edit(let place, let edit): edits[place, default: []].append(edit)
      case .file(let place, let edit): files[place, default: []].append(edit)
      case .count(let place, let added): sums[place, default: 0] += added
      case .delete(let uid): deleted.insert(uid)
      }
    }
  }

  /// Something that somebody did.
  enum Act {
    case insert(uid: String, entity: String)
    case edit(Place, Edit)
    case file(Place, Edit)
    case count(Place, Int64)
    case delete(uid: String)
  }

  /// The values of a field that nobody has written over knowingly; one of them has to stand in the end.
  func newest(_ place: Place) -> [String] { Self.newest(edits[place] ?? []) }

  /// The same of a field with files.
  func newestFiles(_ place: Place) -> [String] { Self.newest(files[place] ?? []) }

  private static func newest(_ all: [Edit]) -> [String] {
    let replaced = Set(all.compactMap(\.replaced))
    return all.map(\.value).filter { !replaced.contains($0) }
  }
}
