import DataModel
import RecordWire
import SyncCore

/// Which records differ between what was confirmed and what the server has.
struct RecordComparison: Hashable {
  typealias Kind = SyncVerification.Difference.Kind

  /// A record that differs.
  struct Found: Hashable {
    var name: String
    var kind: Kind
  }

  /// The records that differ, by the bytes of their names.
  private(set) var found: [Found] = []

  init(ours: [NameKey: RecordMark], theirs: [NameKey: RecordMark]) {
    for (name, mark) in ours {
      if let other = theirs[name] {
        if other.digest != mark.digest { found.append(Found(name: name.text, kind: .different)) }
      } else {
        found.append(Found(name: name.text, kind: .missingThere))
      }
    }
    for name in theirs.keys where ours[name] == nil {
      found.append(Found(name: name.text, kind: .missingHere))
    }
    found.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  func names(_ kinds: Set<Kind>) -> [String] {
    found.filter { kinds.contains($0.kind) }.map(\.name)
  }
}

/// Which fields of an object are not what its record says, apart from those of which nobody can tell.
struct ObjectComparison {
  let objects: ObjectRecords
  let rows: SyncRows
  let row: RecordRow
  let base: RecordFields
  let local: ObjectFields
  /// Fields that are edited, or wait for their target.
  let excepted: Set<String>

  /// The names of the fields that differ.
  func differing() throws -> [String] {
    switch row.owner {
    case .object(let entity, _):
      guard let type = objects.objectType(number: entity) else { return [] }
      return try differing(type)
    case .pair(let property, _, _):
      guard let type = objects.edgeType(number: property) else { return [] }
      let names = local.fields.names + type.orderFields.filter { local.fields[$0] == nil }
      return names.filter { name in
        !excepted.contains(name) && !value(local.fields, name).isSame(as: value(base, name))
      }
    case .none: return []
    }
  }

  private func differing(_ type: ObjectType) throws -> [String] {
    if isPlainlyEqual(type) { return [] }
    let unreadable = Set(
      local.files.compactMap(\.plainField) + local.unrepresentable.map(\.field)
        + local.unnamed.map(\.field))
    // An order says something only together with the reference that it belongs to.
    let unsettled = Set(
      try type.places.filter { place in
        try excepted.contains(place.name) || unreadable.contains(place.name)
          || hasNoTarget(place)
      }.map(\.slot))
    return try type.places.filter { place in
      if case .entityName = place.kind { return false }
      if case .order(let slot) = place.kind, unsettled.contains(slot) { return false }
      if excepted.contains(place.name) { return false }
      if let twin = place.assetTwin, let there = base[twin]?.value {
        // Where the value is in the row here, nobody can tell without fetching the file.
        return local.fields[twin].map { !$0.value.isSame(as: there) } ?? false
      }
      if unreadable.contains(place.name) { return false }
      let wanted = value(base, place.name)
      if objects.isSame(value(local.fields, place.name), wanted, in: place.name, of: row) {
        return false
      }
      // What the attribute cannot take was left out when it came.
      let isUnfit = wanted != .null && type.asStored(wanted, in: place.name) == nil
      return try !isUnfit && !hasNoTarget(place)
    }.map(\.name)
  }

  /// Whether all that the object has stands in its record as it is, and the record has no more than what no
  /// property is: so it is nearly always, and needs no closer look.
  private func isPlainlyEqual(_ type: ObjectType) -> Bool {
    guard excepted.isEmpty, local.files.isEmpty, local.unrepresentable.isEmpty,
      local.unnamed.isEmpty
    else { return false }
    var there = base.entries[...]
    for entry in local.fields.entries {
      while let other = there.first, other.name.precedesInBytes(entry.name) {
        if type.place(of: other.name) != nil { return false }
        there.removeFirst()
      }
      guard let other = there.popFirst(), other.name == entry.name,
        other.field.value.isSame(as: entry.field.value)
      else { return false }
    }
    return there.allSatisfy { type.place(of: $0.name) == nil }
  }

  private func value(_ fields: RecordFields, _ name: String) -> RecordValue {
    fields[name]?.value ?? .null
  }

  /// Whether the object refers to nothing since what the record refers to is not here, is no object, or
  /// is about to go, or has another partner.
  private func hasNoTarget(_ place: FieldPlace) throws -> Bool {
    guard place.destination != nil, value(local.fields, place.name) == .null,
      case .string(let name) = value(base, place.name)
    else { return false }
    guard let target = try rows.record(named: name, zone: row.zone),
      case .object = target.owner
    else { return true }
    if try rows.isDeletedHere(target.number) { return true }
    return try Partners(rows, objects, LocalRecords(rows, objects))
      .isUnreturned(place.name, of: row, to: name)
  }
}
