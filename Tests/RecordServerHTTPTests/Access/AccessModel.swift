/// What somebody may do with a record.
enum Permission: String, CaseIterable, Hashable {
  case read = "READ", create = "CREATE", write = "WRITE"
}

/// One environment of one container.
struct Half: Hashable, CustomStringConvertible {
  var container: String
  var environment: String

  var description: String { "\(container)/\(environment)" }

  static let all = ["iCloud.one", "iCloud.two"].flatMap { container in
    ["development", "production"].map { Half(container: container, environment: $0) }
  }
}

/// One zone of one database; the public one has an empty owner.
struct Spot: Hashable, CustomStringConvertible {
  var half: Half
  var owner: String
  var zone: String

  static let standardZone = "_defaultZone"
  var isPublic: Bool { owner.isEmpty }
  var isCustom: Bool { !isPublic && zone != Self.standardZone }
  var description: String { "\(half)/\(owner)/\(zone)" }
}

/// A record as the oracle knows it.
struct KnownRecord: Hashable {
  var type: String
  /// The record name of whoever made it; nil for someone who had not signed in.
  var creator: String?
  /// The number in the secret text of its field; nil where there is none.
  var secret: Int?
  /// The number in its file; nil without one.
  var file: Int?
  /// The change tag, where an answer has told it.
  var tag: String?
}

/// Who asks, once they are let in.
struct Asker: Hashable {
  /// The name of the account; nil for keys and for someone who has not signed in.
  var account: String?
  /// The record name that stands for them; nil for someone who has not signed in.
  var recordName: String?
  var roles: Set<String> = []
}

/// What there is, and who may do what: written from the words of the protocol, without the server's code.
struct AccessModel {
  /// Permissions by container, record type and role.
  var grants: [String: [String: [String: Set<Permission>]]]
  var records: [Spot: [String: KnownRecord]] = [:]
  /// What was deleted in the public database, as it was.
  var gone: [Spot: [String: KnownRecord]] = [:]
  /// The zones that users have made.
  var zones: Set<Spot> = []

  static let usersType = "Users"

  /// What the asker may do with records of a type; `creator` is who made the record, if there is one.
  func permissions(
    _ asker: Asker, _ half: Half, type: String, record: KnownRecord? = nil
  ) -> Set<Permission> {
    let byRole = grants[half.container]?[type] ?? [:]
    var permissions = byRole["_world"] ?? []
    guard let name = asker.recordName else { return permissions }
    permissions.formUnion(byRole["_icloud"] ?? [])
    for role in asker.roles { permissions.formUnion(byRole[role] ?? []) }
    if let record, record.creator == name { permissions.formUnion(byRole["_creator"] ?? []) }
    return permissions
  }

  func mayRead(_ asker: Asker, _ spot: Spot, _ record: KnownRecord) -> Bool {
    spot.isPublic
      ? permissions(asker, spot.half, type: record.type, record: record).contains(.read)
      : spot.owner == asker.recordName
  }

  /// Whether there can be a record of a type that the asker may read.
  func mayReadSome(_ asker: Asker, _ half: Half, type: String) -> Bool {
    let own = KnownRecord(type: type, creator: asker.recordName)
    return permissions(asker, half, type: type, record: own).contains(.read)
  }

  /// Which zone a request means, or that there is none for the asker.
  func spot(_ asker: Asker, _ half: Half, database: String, _ zone: NamedZone) -> Spot? {
    switch database {
    case "public":
      return zone.name == Spot.standardZone ? Spot(half: half, owner: "", zone: zone.name) : nil
    case "private":
      guard let name = asker.recordName, zone.owner == nil || zone.owner == name else { return nil }
      let spot = Spot(half: half, owner: name, zone: zone.name)
      return !spot.isCustom || zones.contains(spot) ? spot : nil
    default: return nil
    }
  }

  /// The secrets in a zone that the asker may see.
  func readable(_ asker: Asker, _ spot: Spot) -> [(name: String, record: KnownRecord)] {
    (records[spot] ?? [:]).sorted { $0.key < $1.key }.filter { mayRead(asker, spot, $0.value) }
      .map { ($0.key, $0.value) }
  }
}

/// A zone as a request names it.
struct NamedZone: Hashable {
  var name = Spot.standardZone
  var owner: String?

  var json: String {
    #"{"zoneName":"\#(name)""# + (owner.map { #","ownerRecordName":"\#($0)""# } ?? "") + "}"
  }
}

/// One operation of `records/modify`, as the model judges it.
struct TriedSave {
  var kind: String
  var name: String
  var type: String
  var tag: String?
  var secret: Int
  var file: TriedFile?

  static let kinds = [
    "create", "update", "forceUpdate", "replace", "forceReplace", "delete", "forceDelete",
  ]

  var makes: Bool { ["create", "forceUpdate", "forceReplace"].contains(kind) }
  var needsTag: Bool { ["update", "replace", "delete"].contains(kind) }
  var deletes: Bool { ["delete", "forceDelete"].contains(kind) }
  var keepsFields: Bool { ["update", "forceUpdate"].contains(kind) }
}

/// A receipt that somebody has for a file.
struct TriedFile: Hashable {
  var json: String
  var number: Int
  var half: Half
  var owner: String
  var user: String?
  var ends: Int64
}

extension AccessModel {
  /// What the operation comes to by itself: nil for success, else the code.
  func failure(_ save: TriedSave, _ asker: Asker, _ spot: Spot, now: Int64) -> String? {
    let there = records[spot]?[save.name]
    if spot.isPublic, let refusal = lackOfRights(save, asker, spot, there) { return refusal }
    if save.kind == "create" && there != nil { return "EXISTS" }
    if save.needsTag {
      guard let there else { return "NOT_FOUND" }
      if save.tag != there.tag { return "CONFLICT" }
    }
    if let there, there.type != save.type { return "BAD_REQUEST" }
    guard let file = save.file, !save.deletes, there?.file != file.number else { return nil }
    let isGood =
      file.half == spot.half && file.owner == spot.owner && file.user == asker.recordName
      && now < file.ends
    return isGood ? nil : "BAD_REQUEST"
  }

  private func lackOfRights(
    _ save: TriedSave, _ asker: Asker, _ spot: Spot, _ there: KnownRecord?
  ) -> String? {
    let denied = "ACCESS_DENIED"
    if let there, save.kind != "create" {
      if there.type == Self.usersType && !save.keepsFields { return denied }
      let rights = permissions(asker, spot.half, type: there.type, record: there)
      return rights.contains(.write) ? nil : denied
    }
    // Whoever could not delete a record hears the same where there is none.
    if save.kind == "forceDelete" {
      let types = grants[spot.half.container] ?? [:]
      let isAllowed =
        gone[spot]?[save.name].map {
          permissions(asker, spot.half, type: $0.type, record: $0).contains(.write)
        } ?? types.keys.allSatisfy { permissions(asker, spot.half, type: $0).contains(.write) }
      return isAllowed ? nil : denied
    }
    guard save.makes else { return nil }
    if save.type == Self.usersType { return denied }
    return permissions(asker, spot.half, type: save.type).contains(.create) ? nil : denied
  }

  /// The record after the operation, which was done.
  mutating func apply(_ save: TriedSave, _ asker: Asker, _ spot: Spot, tag: String?) {
    guard !save.deletes else {
      if let there = records[spot]?[save.name] { gone[spot, default: [:]][save.name] = there }
      records[spot]?[save.name] = nil
      return
    }
    let there = records[spot]?[save.name]
    gone[spot]?[save.name] = nil
    records[spot, default: [:]][save.name] = KnownRecord(
      type: save.type, creator: there.map(\.creator) ?? asker.recordName, secret: save.secret,
      file: save.file?.number ?? (save.keepsFields ? there?.file : nil), tag: tag)
  }
}
