import DataModel
import RecordServer
import SQLiteDriver

/// What entries need to know of their record.
struct IndexedRecord {
  let number: Int64
  let zone: Int64
  let name: String

  init(_ number: Int64, _ zone: Int64, _ name: String) {
    self.number = number
    self.zone = zone
    self.name = name
  }
}

// Writing entries.
extension SQLiteTransaction {
  /// Gives a record its entries, touching those that change.
  ///
  /// A record that is new has none yet.
  func setEntries(
    _ entries: [IndexEntry], of record: IndexedRecord, isNew: Bool = false
  ) throws {
    var list = EntryList([])
    list.entries.reserveCapacity(entries.count)
    for entry in entries {
      list.entries.append(
        EntryList.Entry(slot: try slotNumber(making: entry.slot), value: entry.value))
    }
    // In one order, so that equal entries are equal bytes.
    list.entries.sort {
      $0.slot != $1.slot ? $0.slot < $1.slot : $0.value.lexicographicallyPrecedes($1.value)
    }
    let (old, new) = (isNew ? [] : try storedList(record.number), list.bytes)
    if old == new { return }
    if old.isEmpty {
      for entry in list.entries { try insert(entry, of: record) }
      return try storeList(new, of: record.number)
    }
    let known = Set(EntryList(bytes: old).entries)
    let wanted = Set(list.entries)
    for entry in known where !wanted.contains(entry) { try remove(entry, of: record) }
    for entry in list.entries where !known.contains(entry) { try insert(entry, of: record) }
    try storeList(new, of: record.number)
  }

  func setEntries(_ entries: [IndexEntry], of record: RecordKey) throws {
    try checkWriting()
    let zone = try live(record.zone).number
    let statement = try connection.statement(
      "SELECT number FROM record WHERE zone = ?1 AND name = ?2")
    statement.bind(1, zone)
    statement.bind(2, record.name)
    let number = try statement.step() ? statement.integer(0) : nil
    statement.reset()
    if let number { try setEntries(entries, of: IndexedRecord(number, zone, record.name)) }
  }

  private func storedList(_ record: Int64) throws -> [UInt8] {
    let statement = try connection.statement("SELECT entries FROM index_list WHERE record = ?1")
    defer { statement.reset() }
    statement.bind(1, record)
    return try statement.step() ? statement.bytes(0) : []
  }

  private func storeList(_ bytes: [UInt8], of record: Int64) throws {
    if bytes.isEmpty {
      let statement = try connection.statement("DELETE FROM index_list WHERE record = ?1")
      statement.bind(1, record)
      return try statement.run()
    }
    let statement = try connection.statement("INSERT OR REPLACE INTO index_list VALUES (?1, ?2)")
    statement.bind(1, record)
    statement.bind(2, bytes)
    try statement.run()
  }

  private func insert(_ entry: EntryList.Entry, of record: IndexedRecord) throws {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO index_entry VALUES (?1, ?2, ?3, ?4, ?5)")
    statement.bind(1, entry.slot)
    statement.bind(2, record.zone)
    statement.bind(3, entry.value)
    statement.bind(4, record.name)
    statement.bind(5, record.number)
    try statement.run()
  }

  private func remove(_ entry: EntryList.Entry, of record: IndexedRecord) throws {
    let statement = try connection.statement(
      "DELETE FROM index_entry WHERE slot = ?1 AND zone = ?2 AND value = ?3 AND name = ?4")
    statement.bind(1, entry.slot)
    statement.bind(2, record.zone)
    statement.bind(3, entry.value)
    statement.bind(4, record.name)
    try statement.run()
  }

  /// Takes away all entries of a record that goes.
  func dropEntries(of record: IndexedRecord) throws {
    let list = try storedList(record.number)
    if list.isEmpty { return }
    for entry in EntryList(bytes: list).entries { try remove(entry, of: record) }
    try storeList([], of: record.number)
  }
}

// Slots.
extension SQLiteTransaction {
  /// The number of a slot; nil where there is none yet.
  func slotNumber(_ slot: IndexSlot) throws -> Int64? {
    if let known = slots[slot] { return known }
    let statement = try connection.statement(
      "SELECT number FROM index_slot WHERE type = ?1 AND field = ?2 AND kind = ?3 AND NOT is_retired"
    )
    defer { statement.reset() }
    statement.bind(slot)
    let number = try statement.step() ? statement.integer(0) : nil
    slots[slot] = .some(number)
    return number
  }

  private func slotNumber(making slot: IndexSlot) throws -> Int64 {
    if let known = try slotNumber(slot) { return known }
    let statement = try connection.statement(
      "INSERT INTO index_slot (type, field, kind) VALUES (?1, ?2, ?3) RETURNING number")
    defer { statement.reset() }
    statement.bind(slot)
    let number = try statement.step() ? statement.integer(0) : 0
    // To its end, where it is really done.
    while try statement.step() {}
    slots[slot] = .some(number)
    return number
  }

  func retire(_ slot: IndexSlot) throws {
    try checkWriting()
    let statement = try connection.statement(
      """
      UPDATE index_slot SET is_retired = 1 \
      WHERE type = ?1 AND field = ?2 AND kind = ?3 AND NOT is_retired
      """)
    statement.bind(slot)
    try statement.run()
    slots[slot] = nil
  }

  func dropRetiredEntries(limit: Int) throws -> Bool {
    try checkWriting()
    let retired = try connection.statement(
      "SELECT number FROM index_slot WHERE is_retired ORDER BY number LIMIT 1")
    let slot = try retired.step() ? retired.integer(0) : nil
    retired.reset()
    guard let slot else { return true }
    if try dropEntries(ofSlot: slot, limit: max(1, limit)) { return false }
    let statement = try connection.statement("DELETE FROM index_slot WHERE number = ?1")
    statement.bind(1, slot)
    try statement.run()
    return false
  }

  /// Takes away some entries; says whether there were any.
  private func dropEntries(ofSlot slot: Int64, limit: Int) throws -> Bool {
    let statement = try connection.statement(
      """
      DELETE FROM index_entry WHERE (slot, zone, value, name) IN \
      (SELECT slot, zone, value, name FROM index_entry WHERE slot = ?1 LIMIT ?2) RETURNING 1
      """)
    defer { statement.reset() }
    statement.bind(1, slot)
    statement.bind(2, Int64(limit))
    var hadSome = false
    while try statement.step() { hadSome = true }
    return hadSome
  }
}

extension Statement {
  fileprivate func bind(_ slot: IndexSlot) {
    bind(1, slot.type)
    bind(2, slot.field)
    bind(3, slot.kind.rawValue)
  }
}
