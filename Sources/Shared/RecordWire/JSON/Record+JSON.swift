public import JSONStream

/// Who says what is written: servers send some keys always, clients never.
public enum WireSide: Hashable, Sendable {
  /// What a client sends.
  case request
  /// What a server answers.
  case response
}

/// A record or an item's failure while it is read, for only its last key may tell which it is.
struct RecordDraft {
  var record = Record()
  var failure = FailureDraft()
  /// The field names that some clients put into the record of an operation.
  var desiredKeys: DesiredKeys?

  /// Reads a record's dictionary; errors name the record.
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    let start = json.offset
    do {
      try read(&json, limits)
    } catch {
      var error = WireError(error)
      error.recordName = record.recordName ?? json.recordName(ofObjectAt: start)
      throw error
    }
  }

  private mutating func read(_ json: inout JSONReader, _ limits: WireLimits) throws {
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "recordName": record.recordName = try json.name("recordName", limits)
      case "recordType": record.recordType = try json.name("recordType", limits)
      case "fields":
        record.content = try json.optional("fields") { reader in
          .fields(try RecordFields(reading: &reader, limits))
        }
      case "recordChangeTag":
        record.changeTag = try json.text("recordChangeTag", max: limits.tokenBytesMax)
          .map { ChangeTag($0) }
      case "created": record.created = try json.stamp("created", limits)
      case "modified": record.modified = try json.stamp("modified", limits)
      case "deleted": record.isDeleted = try json.truth("deleted") ?? false
      case "zoneID": record.zone = try json.zone("zoneID", limits)
      default:
        if try !failure.read(key, &json, limits) { try readRare(key, &json, limits) }
      }
    }
  }

  private mutating func readRare(
    _ key: borrowing JSONText, _ json: inout JSONReader, _ limits: WireLimits
  ) throws {
    switch key {
    case "parent":
      record.parent = try json.link("parent", limits)
    case "share":
      record.share = try json.link("share", limits)
    case "shortGUID":
      record.shortGUID = try json.shortGUID()
    case "left":
      record.hasLeft = try json.truth("left") ?? false
    case "createShortGUID":
      record.createShortGUID = try json.truth("createShortGUID") ?? false
    case "desiredKeys":
      desiredKeys = try json.desiredKeys("desiredKeys", limits)
    default: break
    }
  }

  /// The entry of a list of records in an answer.
  func result() throws -> RecordResult {
    guard let failure = failure.failure else {
      guard record.recordName != nil else { throw WireError.missing("recordName") }
      return .record(record)
    }
    return .failure(ItemFailure(self.failure.subject(record: record.recordName), failure))
  }
}

extension JSONReader {
  fileprivate mutating func stamp(
    _ name: StaticString, _ limits: WireLimits
  ) throws -> RecordStamp? {
    try optional(name) { reader in try RecordStamp(reading: &reader, limits) }
  }

  fileprivate mutating func link(
    _ name: StaticString, _ limits: WireLimits
  ) throws -> RecordLink? {
    try optional(name) { reader in try RecordLink(reading: &reader, limits) }
  }

  /// Reads a short name, which some documents describe as an object around it.
  fileprivate mutating func shortGUID() throws -> String? {
    guard try peekType() == .object else { return try text("shortGUID") }
    var value: String?
    let object = try beginObject()
    while let key = try nextKey(of: object) {
      if key == "value" { value = try text("shortGUID") }
    }
    return value
  }

  /// The record name in an object that could not be read to its end; only for errors.
  fileprivate func recordName(ofObjectAt start: Int) -> String? {
    var name: String?
    // What follows the object is not looked at: the error of that reading is of no interest.
    try? withBytes(in: start..<Int.max) { bytes in
      try JSONReader.read(bytes) { reader in
        let object = try reader.beginObject()
        while name == nil, let key = try reader.nextKey(of: object) {
          if key == "recordName" { name = try reader.readString() }
        }
      }
    }
    return name
  }
}

extension Record {
  /// Writes the record's dictionary.
  public func write(to json: inout JSONWriter, as side: WireSide) {
    json.object { json in
      writeHead(&json)
      switch content {
      case .fields(let fields):
        json.key("fields")
        fields.write(to: &json)
      case .wire(let bytes):
        json.key("fields")
        json.checkedJSON(bytes.json)
      case nil:
        if side == .response && !isDeleted && !hasLeft {
          json.key("fields")
          json.object { _ in }
        }
      }
      writeTail(&json, side)
    }
  }

  /// Writes the record's dictionary around the stored bytes of its fields, whatever `content` is.
  ///
  /// See `FieldBytes.write` for the errors.
  public func write(
    to json: inout JSONWriter, as side: WireSide, around stored: UnsafeBufferPointer<UInt8>,
    desiredKeys: DesiredKeys? = nil
  ) throws {
    try json.object { json in
      writeHead(&json)
      json.key("fields")
      try FieldBytes.write(stored, desiredKeys: desiredKeys, to: &json)
      writeTail(&json, side)
    }
  }

  private func writeHead(_ json: inout JSONWriter) {
    json.member("recordName", ifPresent: recordName)
    json.member("recordType", ifPresent: recordType)
  }

  private func writeTail(_ json: inout JSONWriter, _ side: WireSide) {
    if side == .response && !isDeleted && !hasLeft {
      json.key("pluginFields")
      json.object { _ in }
    }
    json.member("recordChangeTag", ifPresent: changeTag?.text)
    json.member("created", ifPresent: created)
    json.member("modified", ifPresent: modified)
    if (side == .response && !hasLeft) || isDeleted { json.member("deleted", isDeleted) }
    json.member("left", ifTrue: hasLeft)
    json.member("zoneID", ifPresent: zone)
    json.member("parent", ifPresent: parent)
    json.member("share", ifPresent: share)
    json.member("shortGUID", ifPresent: shortGUID)
    json.member("createShortGUID", ifTrue: createShortGUID)
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ key: StaticString, ifPresent stamp: RecordStamp?) {
    guard let stamp else { return }
    self.key(key)
    stamp.write(to: &self)
  }

  fileprivate mutating func member(_ key: StaticString, ifPresent link: RecordLink?) {
    guard let link else { return }
    self.key(key)
    link.write(to: &self)
  }
}

extension RecordResult {
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    self = try RecordDraft(reading: &json, limits).result()
  }

  /// Writes the entry.
  public func write(to json: inout JSONWriter) {
    switch self {
    case .record(let record): record.write(to: &json, as: .response)
    case .failure(let failure): failure.write(to: &json)
    }
  }
}
