import DataModel
import RecordWire
import SchemaGenerator

/// Random records and values, the same for the same seed.
extension SeededGenerator {
  mutating func text(upTo countMax: Int = 12) -> String {
    let alphabet = Array("abcXYZ019 _-\"\\/\n\t\u{1}é☃𝄞")
    return String((0..<below(countMax + 1)).map { _ in pick(alphabet, or: "a") })
  }

  /// Names have no control characters; see `WireLimits.refusesControls`.
  mutating func name() -> String {
    "n" + String(text().unicodeScalars.filter { $0.value >= 0x20 }.map(Character.init))
  }

  mutating func integer() -> Int64 {
    Int64(bitPattern: next()) >> Int64(below(64))
  }

  mutating func number() -> Double {
    let value = Double(bitPattern: next())
    return oneIn(2) && value.isFinite ? value : Double(integer()) / 8
  }

  mutating func data() -> [UInt8] {
    (0..<below(40)).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  mutating func maybe<Value>(_ make: (inout SeededGenerator) -> Value) -> Value? {
    oneIn(2) ? make(&self) : nil
  }

  mutating func zone() -> ZoneIdentity {
    ZoneIdentity(
      name: name(), owner: maybe { $0.name() }, kind: maybe { $0.oneIn(2) ? .standard : .custom })
  }

  mutating func reference() -> RecordReference {
    RecordReference(
      recordName: name(), zone: maybe { $0.zone() },
      action: maybe { $0.pick(RecordReference.Action.allCases, or: .none) })
  }

  mutating func location() -> RecordLocation {
    var location = RecordLocation(latitude: number(), longitude: number())
    location.altitude = maybe { $0.number() }
    location.course = maybe { $0.number() }
    location.speed = maybe { $0.number() }
    location.horizontalAccuracy = maybe { $0.number() }
    location.verticalAccuracy = maybe { $0.number() }
    location.timestamp = maybe { $0.integer() }
    return location
  }

  mutating func asset() -> RecordAsset {
    RecordAsset(
      fileChecksum: text(), size: Int64(below(1 << 40)), receipt: maybe { $0.text() },
      wrappingKey: maybe { $0.text() }, referenceChecksum: maybe { $0.text() },
      downloadURL: maybe { $0.text() })
  }

  mutating func value(of type: RecordSchema.FieldType) -> RecordValue {
    switch type {
    case .string: .string(text())
    case .int64: .int64(integer())
    case .double, .number: .double(number())
    case .timestamp: .timestamp(integer())
    case .bytes: .bytes(data())
    case .reference: .reference(reference())
    case .location: .location(location())
    case .asset: .asset(asset())
    }
  }

  /// One of the types that values have on the wire.
  mutating func type() -> RecordSchema.FieldType {
    pick(RecordSchema.FieldType.allCases.filter { $0 != .number }, or: .string)
  }

  mutating func untyped() -> UntypedValue {
    switch below(7) {
    case 0: .integer(integer())
    case 1: .double(number())
    case 2: .string(text())
    case 3: .boolean(oneIn(2))
    case 4: .reference(reference())
    case 5: .location(location())
    default: .asset(asset())
    }
  }

  mutating func value() -> RecordValue {
    switch below(10) {
    case 0: return .null
    case 1: return .untyped(untyped())
    case 2: return .untyped(.array((0..<below(4)).map { _ in untyped() }))
    case 3, 4:
      let type = type()
      return .list((0..<below(4)).map { _ in value(of: type) }, of: type)
    default: return value(of: type())
    }
  }

  mutating func fields(upTo countMax: Int = 12) -> RecordFields {
    RecordFields(
      (0..<below(countMax)).map { _ in
        (name(), RecordField(value(), isEncrypted: oneIn(8)))
      })
  }

  mutating func stamp() -> RecordStamp {
    RecordStamp(
      timestamp: integer(), userRecordName: maybe { $0.name() }, deviceID: maybe { $0.text() })
  }

  mutating func link() -> RecordLink { RecordLink(recordName: name(), zone: maybe { $0.zone() }) }

  mutating func record() -> Record {
    var record = Record(
      recordName: name(), recordType: maybe { $0.name() }, fields: fields(),
      changeTag: maybe { ChangeTag(counter: $0.next()) }, zone: maybe { $0.zone() })
    record.created = maybe { $0.stamp() }
    record.modified = maybe { $0.stamp() }
    record.isDeleted = oneIn(8)
    record.parent = maybe { $0.link() }
    record.share = maybe { $0.link() }
    record.shortGUID = maybe { $0.text() }
    record.createShortGUID = oneIn(4)
    return record
  }
}
