import Synchronization

/// Keeps what was looked up in the file, as long as nobody can have lost a right since.
///
/// Holds two halves: when the younger one is full, the older one goes. So what is used stays, memory is
/// bounded, and nothing is counted or sorted.
final class LookupCache<Key: Hashable & Sendable, Entry: Sendable>: Sendable {
  private struct Halves {
    var generation: Int64 = 0
    var young: [Key: Entry] = [:]
    var old: [Key: Entry] = [:]

    mutating func meet(_ newer: Int64) {
      guard newer > generation else { return }
      generation = newer
      young = [:]
      old = [:]
    }

    mutating func keep(_ key: Key, _ entry: Entry, max: Int) {
      if young.count >= max && young[key] == nil {
        old = young
        young = [:]
      }
      young[key] = entry
    }
  }

  private let halves = Mutex(Halves())
  private let entriesMax: Int

  /// Keeps twice `entriesMax` entries at most.
  init(entriesMax: Int = AccessLimits.cachedMax) { self.entriesMax = max(1, entriesMax) }

  /// What is kept under `key`, unless it was read before `generation`.
  func entry(_ key: Key, generation: Int64) -> Entry? {
    halves.withLock { halves in
      halves.meet(generation)
      if let entry = halves.young[key] { return entry }
      guard let entry = halves.old[key] else { return nil }
      halves.keep(key, entry, max: entriesMax)
      return entry
    }
  }

  /// Keeps what was read when the file had `generation`, unless that is over.
  func keep(_ key: Key, _ entry: Entry, generation: Int64) {
    halves.withLock { halves in
      halves.meet(generation)
      if generation == halves.generation { halves.keep(key, entry, max: entriesMax) }
    }
  }

  /// Changes what is kept under `key`, if it still is.
  func update(_ key: Key, _ change: (inout Entry) -> Void) {
    halves.withLock { halves in
      guard var entry = halves.young[key] ?? halves.old[key] else { return }
      change(&entry)
      halves.keep(key, entry, max: entriesMax)
    }
  }

  /// How many entries are kept.
  var count: Int { halves.withLock { Set($0.young.keys).union($0.old.keys).count } }
}
