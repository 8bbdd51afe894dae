import DataModel

/// The clocks of a record's fields, which travel in one field of the record itself.
///
/// Most fields of most records have the clock of the record's creation, so there is one clock for all
/// fields that have none of their own. Beside them stands which edits of each device the record has: a
/// device whose confirmation was lost on the way finds out by it that its edits have arrived.
public struct FieldClocks: Hashable, Sendable {
  /// The clock of every field that has none of its own; nil where nothing is known of those.
  public private(set) var common: FieldClock?
  /// Fields with clocks of their own, in the order of the names' bytes.
  public private(set) var own: [Entry] = []
  /// The latest edit of each device that the record has, in the order of the devices.
  public private(set) var seen: [FieldClock] = []

  /// A field's own clock.
  public struct Entry: Hashable, Sendable {
    /// The field's name.
    public let name: String
    /// Its clock.
    public var clock: FieldClock
  }

  /// How many devices are remembered; of more, those that edited last, and those whose edits stand.
  public static let devicesMax = 64

  /// Clocks of no field, or the same of all.
  public init(common: FieldClock? = nil) {
    self.common = common
    if let common { seen = [common] }
  }

  /// The clock of a field; nil where nothing is known of it.
  public subscript(name: String) -> FieldClock? {
    let place = place(of: name)
    return place.isTaken ? own[place.index].clock : common
  }

  /// Whether the record has an edit: that one, or a later one of the same device, which sends its edits
  /// in their order.
  public func has(_ edit: FieldClock) -> Bool {
    seen.contains { $0.device == edit.device && edit.time <= $0.time }
  }

  /// Whether the record has all edits that another state of it had, as far as can be told: of many devices
  /// some are forgotten.
  ///
  /// Who edits a record leaves what others did in it, so a state that lacks edits is an earlier one.
  public func hasAll(of earlier: FieldClocks) -> Bool {
    seen.count >= Self.devicesMax || earlier.seen.allSatisfy { has($0) }
  }

  /// Whether a field has an earlier clock than another state of the record gave it: nobody sets a clock back but who
  /// sends again what a server has lost, and has no later value.
  public func isBehind(_ earlier: FieldClocks) -> Bool {
    earlier.own.contains { entry in self[entry.name].map { $0 < entry.clock } ?? false }
  }

  /// Whether a field's clock is one that `setBack` gave, or of no device, as that of a value that somebody sent in place
  /// of a later one.
  public func isOfEarlierValue(_ name: String) -> Bool {
    guard let clock = self[name] else { return false }
    return clock.device == .unknown
      || common.map { clock == FieldClock($0.time.next, $0.device) } ?? false
  }

  /// Notes an edit of a field.
  public mutating func note(_ clock: FieldClock, of name: String) {
    set(clock, of: name)
    note(seen: clock)
  }

  /// Gives a field the clock of a value that comes from elsewhere: that says nothing of which edits of the
  /// clock's device the record has.
  public mutating func inherit(_ clock: FieldClock, of name: String) {
    set(clock, of: name)
    note(seen: FieldClock(.origin, clock.device))
  }

  /// Gives a field that the record is to have no value of a clock before all others: whoever has a value has
  /// a later one.
  ///
  /// Without a clock of its own it would have that of all fields, which is the one of the value that is not
  /// there: an old clock beside another value looks like an edit by somebody who writes no clocks.
  public mutating func forget(_ name: String) {
    guard let device = (self[name] ?? seen.first)?.device else { return }
    set(FieldClock(.origin, device), of: name)
  }

  /// Gives a field that the record is to have an earlier value of than before a clock right after that of all
  /// fields: when that value was given is not known, but it was after the record was made.
  ///
  /// So it wins over whoever has none, and every other edit wins over it.
  public mutating func setBack(_ name: String) {
    guard let common, let clock = self[name] else { return forget(name) }
    let earliest = FieldClock(common.time.next, common.device)
    if earliest < clock { set(earliest, of: name) } else { forget(name) }
  }

  private mutating func set(_ clock: FieldClock, of name: String) {
    let place = place(of: name)
    switch (place.isTaken, clock == common) {
    case (true, true): own.remove(at: place.index)
    case (true, false): own[place.index].clock = clock
    case (false, true): break
    case (false, false): own.insert(Entry(name: name, clock: clock), at: place.index)
    }
  }

  private mutating func note(seen clock: FieldClock) {
    if let index = seen.firstIndex(where: { $0.device == clock.device }) {
      seen[index] = max(seen[index], clock)
      return
    }
    seen.append(clock)
    if seen.count > Self.devicesMax { forgetOldest() }
    seen.sort { $0.device < $1.device }
  }

  private mutating func forgetOldest() {
    let standing = Set(own.map(\.clock.device) + (common.map { [$0.device] } ?? []))
    let oldest = seen.filter { !standing.contains($0.device) }.min()
    seen.removeAll { $0 == oldest }
  }

  /// The latest of all.
  public var latest: FieldClock? { (seen + own.map(\.clock)).max() }

  /// Takes what was read; nil where names or devices are not in order, or a clock is of a device that is
  /// not among those that were seen.
  init?(common: FieldClock?, sorted entries: [Entry], seen: [FieldClock]) {
    for index in entries.indices.dropFirst()
    where !entries[index - 1].name.precedesInBytes(entries[index].name) { return nil }
    for index in seen.indices.dropFirst() where seen[index - 1].device >= seen[index].device {
      return nil
    }
    self.common = common
    own = entries
    self.seen = seen
  }

  private func place(of name: String) -> (index: Int, isTaken: Bool) {
    var low = 0
    var high = own.count
    while low < high {
      let middle = low + (high - low) / 2
      if own[middle].name.precedesInBytes(name) { low = middle + 1 } else { high = middle }
    }
    return (low, low < own.count && own[low].name.utf8.elementsEqual(name.utf8))
  }
}
