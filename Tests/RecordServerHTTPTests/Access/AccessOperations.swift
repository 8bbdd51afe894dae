import SchemaGenerator
import JSONStream

/// The operations of the protocol, each with the databases that have it and what makes an attempt at it.
enum AccessOperations {
  struct Row: Sendable {
    var path: String
    var databases: Set<String>
    var make: @Sendable (AttemptContext) -> AccessAttempt
  }

  private static let everywhere: Set<String> = ["public", "private", "shared"]
  private static let ofUsers: Set<String> = ["private", "shared"]

  /// Those that change most stand here more than once.
  static let rows: [Row] = [
    Row(path: "records/lookup", databases: everywhere, make: lookup),
    Row(path: "records/lookup", databases: everywhere, make: lookup),
    Row(path: "records/modify", databases: everywhere, make: modify),
    Row(path: "records/modify", databases: everywhere, make: modify),
    Row(path: "records/modify", databases: everywhere, make: modify),
    Row(path: "records/query", databases: everywhere, make: query),
    Row(path: "records/query", databases: everywhere, make: query),
    Row(path: "records/changes", databases: ofUsers, make: recordChanges),
    Row(path: "changes/zone", databases: ofUsers, make: zoneChanges),
    Row(path: "changes/database", databases: ofUsers, make: databaseChanges),
    Row(path: "zones/changes", databases: ofUsers, make: olderDatabaseChanges),
    Row(path: "zones/list", databases: everywhere, make: listZones),
    Row(path: "zones/lookup", databases: everywhere, make: lookUpZones),
    Row(path: "zones/modify", databases: ["private"], make: modifyZones),
    Row(path: "zones/modify", databases: ["private"], make: modifyZones),
    Row(path: "zones/digest", databases: ofUsers, make: digest),
    Row(path: "assets/upload", databases: everywhere, make: upload),
    Row(path: "assets/upload", databases: everywhere, make: upload),
    Row(path: "assets/rereference", databases: everywhere, make: rereference),
    Row(path: "users/caller", databases: ["public"], make: caller),
    Row(path: "users/discover", databases: ["public"], make: discover),
  ]

  @Sendable private static func attempt(
    _ path: String, _ context: AttemptContext, _ body: String, _ expected: [String]
  ) -> AccessAttempt {
    AccessAttempt(
      kind: path,
      path:
        "/database/1/\(context.half.container)/\(context.half.environment)/\(context.database)/\(path)",
      body: body, expected: expected)
  }

  private static let noZone = ["404 ZONE_NOT_FOUND"]

  // Records.

  @Sendable private static func lookup(_ context: AttemptContext) -> AccessAttempt {
    let (world, zone) = (context.world, context.zone())
    let names = context.names(upTo: 3)
    let list = names.map { #"{"recordName":"\#($0)"}"# }.joined(separator: ",")
    var made = attempt(
      "records/lookup", context, #"{"zoneID":\#(zone.json),"records":[\#(list)]}"#, noZone)
    guard let spot = context.spot(zone) else { return made }
    made.expected = names.map { name in
      guard let record = world.model.records[spot]?[name] else { return "NOT_FOUND" }
      return world.model.mayRead(context.asker, spot, record) ? record.shown : "ACCESS_DENIED"
    }
    made.secrets = context.secrets(in: spot)
    made.effects = Array(repeating: context.keepDownload(spot), count: names.count)
    return made
  }

  @Sendable private static func query(_ context: AttemptContext) -> AccessAttempt {
    let (world, zone) = (context.world, context.zone())
    let type = world.draw.pick(AccessSchema.types + [AccessModel.usersType], or: "Post")
    let isOfAll = context.database == "private" && world.draw.oneIn(3)
    // Often for the secret of a record that is there, whoever may read it.
    let known = context.spot(zone).flatMap {
      world.pick((world.model.records[$0] ?? [:]).values.compactMap(\.secret).sorted())
    }
    let wanted = world.draw.oneIn(2) ? known : nil
    let filter = wanted.map {
      #","filterBy":[{"comparator":"EQUALS","fieldName":"secret","fieldValue":{"value":"\#(AccessWorld.text($0))"}}]"#
    }
    let place = isOfAll ? #""zoneWide":true"# : #""zoneID":\#(zone.json)"#
    var made = attempt(
      "records/query", context,
      #"{"query":{"recordType":"\#(type)"\#(filter ?? "")},\#(place)}"#, noZone)
    made.isUnordered = true
    let spots = isOfAll ? context.ownSpots() : context.spot(zone).map { [$0] }
    if context.database == "public" && zone.name == Spot.standardZone,
      !world.model.mayReadSome(context.asker, context.half, type: type)
    {
      made.expected = ["403 ACCESS_DENIED"]
      return made
    }
    guard let spots else { return made }
    let found = spots.flatMap { world.model.readable(context.asker, $0) }.map(\.record)
      .filter { $0.type == type && (wanted == nil || $0.secret == wanted) }
    made.expected = found.map(\.shown)
    made.secrets = Set(found.compactMap(\.secret))
    return made
  }

  @Sendable private static func modify(_ context: AttemptContext) -> AccessAttempt {
    let (world, zone) = (context.world, context.zone())
    let saves = context.names(upTo: 3).map { context.save($0, zone) }
    let isAtomic = world.pick([true, false, nil])
    let atomic = (isAtomic ?? nil).map { #","atomic":\#($0)"# } ?? ""
    let list = saves.map(\.json).joined(separator: ",")
    var made = attempt(
      "records/modify", context, #"{"zoneID":\#(zone.json),"operations":[\#(list)]\#(atomic)}"#,
      noZone)
    guard let spot = context.spot(zone) else { return made }
    var failures = saves.map { world.model.failure($0, context.asker, spot, now: world.now) }
    if spot.isCustom && isAtomic != false, failures.contains(where: { $0 != nil }) {
      failures = failures.map { $0 ?? "ATOMIC_ERROR" }
    }
    var after = world.model
    for (save, failure) in zip(saves, failures) where failure == nil {
      after.apply(save, context.asker, spot, tag: nil)
    }
    made.expected = zip(saves, failures).map { save, failure in
      if let failure { return failure }
      guard let record = after.records[spot]?[save.name] else { return "deleted" }
      return after.mayRead(context.asker, spot, record) ? record.shown : "shown"
    }
    for (save, failure) in zip(saves, failures) {
      if failure == nil,
        after.records[spot]?[save.name].map({ after.mayRead(context.asker, spot, $0) }) == true
      {
        made.secrets.insert(save.secret)
      }
      made.effects.append(
        failure != nil
          ? nil
          : { world, element in
            world.model.apply(save, context.asker, spot, tag: element["recordChangeTag"]?.string)
            context.keepDownload(spot)?(world, element)
          })
    }
    return made
  }

  // Feeds.

  @Sendable private static func recordChanges(_ context: AttemptContext) -> AccessAttempt {
    let zone = context.zone()
    var made = attempt("records/changes", context, #"{"zoneID":\#(zone.json)}"#, noZone)
    made.isUnordered = true
    let feed = context.feed(zone)
    made.expected =
      feed.failure.map { [$0 == "ZONE_NOT_FOUND" ? "404 \($0)" : "400 \($0)"] } ?? feed.words
    made.secrets = feed.secrets
    return made
  }

  @Sendable private static func zoneChanges(_ context: AttemptContext) -> AccessAttempt {
    let zones = (0..<(1 + context.world.draw.below(3))).map { _ in context.zone() }
    let list = zones.map { #"{"zoneID":\#($0.json)}"# }.joined(separator: ",")
    var made = attempt("changes/zone", context, #"{"zones":[\#(list)]}"#, [])
    for zone in zones {
      let feed = context.feed(zone)
      made.expected.append(
        feed.failure ?? "\(zone.name): " + feed.words.sorted().joined(separator: " "))
      made.secrets.formUnion(feed.secrets)
    }
    return made
  }

  @Sendable private static func digest(_ context: AttemptContext) -> AccessAttempt {
    let zone = context.zone()
    var made = attempt("zones/digest", context, #"{"zones":[{"zoneID":\#(zone.json)}]}"#, [])
    made.path = made.path.replacing("/database/1/", with: "/contrail/1/")
    let feed = context.feed(zone)
    made.expected = [feed.failure ?? "\(zone.name) has \(feed.words.count)"]
    return made
  }

  @Sendable private static func databaseChanges(_ context: AttemptContext) -> AccessAttempt {
    var made = attempt("changes/database", context, "{}", context.customZones())
    made.isUnordered = true
    return made
  }

  @Sendable private static func olderDatabaseChanges(_ context: AttemptContext) -> AccessAttempt {
    var made = attempt("zones/changes", context, "{}", context.customZones())
    made.isUnordered = true
    return made
  }

  // Zones.

  @Sendable private static func listZones(_ context: AttemptContext) -> AccessAttempt {
    let standard = context.database == "shared" ? [] : [Spot.standardZone]
    var made = attempt("zones/list", context, "{}", standard + context.customZones())
    made.isUnordered = true
    return made
  }

  @Sendable private static func lookUpZones(_ context: AttemptContext) -> AccessAttempt {
    let zones = (0..<(1 + context.world.draw.below(3))).map { _ in context.zone() }
    let list = zones.map(\.json).map { #"{"zoneID":\#($0)}"# }.joined(separator: ",")
    return attempt(
      "zones/lookup", context, #"{"zones":[\#(list)]}"#,
      zones.map { context.spot($0) == nil ? "ZONE_NOT_FOUND" : $0.name })
  }

  @Sendable private static func modifyZones(_ context: AttemptContext) -> AccessAttempt {
    let zone = context.zone()
    let creates = !context.world.draw.oneIn(3)
    let body =
      #"{"operations":[{"operationType":"\#(creates ? "create" : "delete")","zone":{"zoneID":\#(zone.json)}}]}"#
    var made = attempt("zones/modify", context, body, ["ZONE_NOT_FOUND"])
    guard let name = context.asker.recordName, zone.owner == nil || zone.owner == name else {
      return made
    }
    let spot = Spot(half: context.half, owner: name, zone: zone.name)
    if creates {
      made.expected = [zone.name]
      if spot.isCustom { made.effects = [{ world, _ in world.model.zones.insert(spot) }] }
    } else if !spot.isCustom {
      made.expected = ["BAD_REQUEST"]
    } else if context.model.zones.contains(spot) {
      made.expected = ["\(zone.name) deleted"]
      made.effects = [
        { world, _ in
          world.model.zones.remove(spot)
          world.model.records[spot] = nil
        }
      ]
    }
    return made
  }

  // Files.

  @Sendable private static func upload(_ context: AttemptContext) -> AccessAttempt {
    let (world, zone) = (context.world, context.zone())
    let save = context.save(context.names(upTo: 1)[0], zone)
    let body =
      #"{"zoneID":\#(zone.json),"tokens":[{"recordName":"\#(save.name)","recordType":"\#(save.type)","#
      + #""fieldName":"file"}]}"#
    var made = attempt("assets/upload", context, body, noZone)
    guard let spot = context.spot(zone) else { return made }
    let there = world.model.records[spot]?[save.name]
    let rights = world.model.permissions(
      context.asker, spot.half, type: there?.type ?? save.type, record: there)
    if spot.isPublic && !rights.contains(there == nil ? .create : .write) {
      made.expected = ["ACCESS_DENIED"]
    } else if let there, there.type != save.type {
      made.expected = ["BAD_REQUEST"]
    } else {
      made.expected = ["place"]
      made.effects = [context.keepUpload(spot)]
    }
    return made
  }

  @Sendable private static func rereference(_ context: AttemptContext) -> AccessAttempt {
    let (world, zone) = (context.world, context.zone())
    let withFile = context.spot(zone).flatMap { spot in
      world.pick((world.model.records[spot] ?? [:]).filter { $0.value.file != nil }.keys.sorted())
    }
    let name = withFile ?? context.names(upTo: 1)[0]
    let body =
      #"{"zoneID":\#(zone.json),"assets":[{"recordName":"\#(name)","fieldName":"file"}]}"#
    var made = attempt("assets/rereference", context, body, noZone)
    guard let spot = context.spot(zone) else { return made }
    guard let record = world.model.records[spot]?[name], let file = record.file,
      world.model.mayRead(context.asker, spot, record)
    else {
      made.expected = ["400 BAD_REQUEST"]
      return made
    }
    made.expected = ["receipt"]
    let (half, owner, user) = (spot.half, spot.owner, context.asker.recordName)
    made.effects = [
      { world, asset in
        world.keepReceipt(asset, number: file, half: half, owner: owner, user: user)
      }
    ]
    return made
  }

  // People.

  @Sendable private static func caller(_ context: AttemptContext) -> AccessAttempt {
    let (asker, half) = (context.asker, context.half)
    guard let account = asker.account, let name = asker.recordName else {
      return attempt("users/caller", context, "{}", [])
    }
    var made = attempt("users/caller", context, "{}", ["\(name) \(account)@example.org"])
    made.people = [account]
    made.effects = [
      { world, _ in
        let spot = Spot(half: half, owner: "", zone: Spot.standardZone)
        if world.model.records[spot]?[name] == nil {
          world.model.records[spot, default: [:]][name] = KnownRecord(
            type: AccessModel.usersType, creator: name)
        }
      }
    ]
    return made
  }

  @Sendable private static func discover(_ context: AttemptContext) -> AccessAttempt {
    let world = context.world
    let account = world.draw.pick(AccessWorld.accounts, or: "ann")
    let name = world.recordNames[context.half]?[account] ?? ""
    let lookup =
      world.draw.oneIn(2)
      ? #"{"userRecordName":"\#(name)"}"# : #"{"emailAddress":"\#(account)@example.org"}"#
    let isSelf = context.asker.account == account
    var made = attempt(
      "users/discover", context, #"{"lookupInfos":[\#(lookup)]}"#, isSelf ? [name] : [])
    made.people = isSelf ? [account] : []
    return made
  }
}

// What attempts are made of.
extension AttemptContext {
  /// A zone, mostly the asker's own or one that everyone has.
  func zone() -> NamedZone {
    var zone = NamedZone()
    if !world.draw.oneIn(3) || database == "public" && world.draw.oneIn(10) {
      zone.name = database == "public" ? Spot.standardZone : "z\(1 + world.draw.below(4))"
    }
    if database == "public" && world.draw.oneIn(20) { zone.name = "z1" }
    if world.draw.oneIn(3) { zone.owner = asker.recordName }
    if database != "public", world.draw.oneIn(10) {
      zone.owner = world.recordNames[half]?[world.draw.pick(AccessWorld.accounts, or: "ann")]
    }
    return zone
  }

  func spot(_ zone: NamedZone) -> Spot? {
    model.spot(asker, half, database: database, zone)
  }

  /// Names of records, some of which are there.
  func names(upTo count: Int) -> [String] {
    var names: [String] = []
    for _ in 0...world.draw.below(count) {
      let people = (world.recordNames[half] ?? [:]).values.sorted()
      let name =
        world.draw.oneIn(12)
        ? world.draw.pick(people, or: "r0") : "r\(world.draw.below(database == "public" ? 20 : 8))"
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  func save(_ name: String, _ zone: NamedZone) -> TriedSave {
    let there = spot(zone).flatMap { model.records[$0]?[name] }
    let type = world.draw.oneIn(6) ? nil : there?.type
    let tag = world.draw.oneIn(3) ? nil : there?.tag
    let spotHere = spot(zone)
    let fitting = world.receipts.filter {
      $0.half == spotHere?.half && $0.owner == spotHere?.owner && $0.user == asker.recordName
    }
    let file =
      world.draw.oneIn(fitting.isEmpty ? 5 : 2)
      ? world.pick(world.draw.oneIn(4) || fitting.isEmpty ? world.receipts : fitting) : nil
    return TriedSave(
      kind: world.draw.pick(TriedSave.kinds, or: "update"), name: name,
      type: type ?? world.draw.pick(AccessSchema.types, or: "Post"), tag: tag ?? "zzzzz",
      secret: world.nextSecret(), file: file)
  }

  func secrets(in spot: Spot) -> Set<Int> {
    Set(model.readable(asker, spot).compactMap(\.record.secret))
  }

  /// What a feed of a zone from its beginning has.
  func feed(_ zone: NamedZone) -> (failure: String?, words: [String], secrets: Set<Int>) {
    // Which zone is meant comes first, then whether such a zone has a feed, then whether it is there.
    let isNamedRightly =
      database == "private" && (zone.owner == nil || zone.owner == asker.recordName)
    if isNamedRightly && zone.name == Spot.standardZone { return ("BAD_REQUEST", [], []) }
    guard let spot = spot(zone) else { return ("ZONE_NOT_FOUND", [], []) }
    return (nil, model.readable(asker, spot).map(\.record.shown), secrets(in: spot))
  }

  /// Every zone of the asker's own database.
  func ownSpots() -> [Spot] {
    [Spot.standardZone].map { Spot(half: half, owner: asker.recordName ?? "?", zone: $0) }
      + model.zones.filter { $0.half == half && $0.owner == asker.recordName }
  }

  func customZones() -> [String] {
    guard database == "private" else { return [] }
    return model.zones.filter { $0.half == half && $0.owner == asker.recordName }.map(\.zone)
  }

  /// Keeps the address of a file that an answer has.
  func keepDownload(_ spot: Spot) -> AccessAttempt.Effect? {
    { world, element in
      guard let url = element["fields"]?["file"]?["value"]?["downloadURL"]?.string,
        let name = element["recordName"]?.string, let file = world.model.records[spot]?[name]?.file
      else { return }
      world.keep(
        AccessWorld.Place(
          url: url, half: spot.half, owner: spot.owner, ends: world.now + 3_600_000, number: file))
    }
  }

  func keepUpload(_ spot: Spot) -> AccessAttempt.Effect {
    let user = asker.recordName
    return { world, element in
      guard let url = element["url"]?.string else { return }
      world.keep(
        AccessWorld.Place(
          url: url, half: spot.half, owner: spot.owner, user: user, ends: world.now + 900_000))
    }
  }
}

extension AccessWorld {
  func keep(_ place: Place) {
    places.append(place)
    if places.count > 60 { places.removeFirst() }
  }

  func keepReceipt(_ asset: JSONValue, number: Int, half: Half, owner: String, user: String?) {
    let members = ["fileChecksum", "receipt"].compactMap { key in
      asset[key]?.string.map { #""\#(key)":"\#($0)""# }
    }
    let size = asset["size"]?.integer ?? 0
    receipts.append(
      TriedFile(
        json: "{\(members.joined(separator: ",")),\"size\":\(size)}", number: number, half: half,
        owner: owner, user: user, ends: now + 86_400_000))
    if receipts.count > 60 { receipts.removeFirst() }
  }
}

extension TriedSave {
  var json: String {
    var fields = #""secret":{"value":"\#(AccessWorld.text(secret))"}"#
    if let file { fields += #","file":{"value":\#(file.json),"type":"ASSETID"}"# }
    return
      #"{"operationType":"\#(kind)","record":{"recordName":"\#(name)","recordType":"\#(type)","#
      + (needsTag ? #""recordChangeTag":"\#(tag ?? "")","# : "") + #""fields":{\#(fields)}}}"#
  }
}
