import DataModel
import RecordWire
import SyncClient

/// What objects and their properties are called in records: what each layout says, in words of the checkers' own.
struct WorldNames {
  private let isNative: Bool

  init(_ profile: MappingProfile) { isNative = profile == .native }

  /// The zone that holds all records.
  var zone: ZoneIdentity {
    ZoneIdentity(name: isNative ? SyncConfiguration.nativeZone : SyncConfiguration.coreDataZone)
  }

  /// The entity of a record; nil for a pair's.
  func entity(of type: String) -> String? {
    let name = isNative ? type : String(type.dropFirst(Self.prefix.count))
    return name == WorldSchema.keyed || WorldSchema.entities(version: 2).contains(name) ? name : nil
  }

  /// What a record has in a property.
  func value(_ property: String, in fields: RecordFields?) -> RecordValue {
    guard !isNative else { return fields?[property]?.value ?? .null }
    let field = Self.prefix + property
    // A large value is a file of its own, beside what is empty then.
    if let file = fields?[field + Self.fileSuffix]?.value, file != .null { return file }
    return fields?[field]?.value ?? .null
  }

  /// The property that a field is of.
  func property(of field: String) -> String {
    guard !isNative else { return field }
    let name = field.dropFirst(Self.prefix.count)
    return String(name.hasSuffix(Self.fileSuffix) ? name.dropLast(Self.fileSuffix.count) : name)
  }

  /// The names of the records that a pair's record joins.
  func ends(of pair: RecordFields) -> [String] {
    func text(_ field: String) -> String? {
      if case .string(let text)? = pair[field]?.value { text } else { nil }
    }
    if isNative { return ["source", "target"].compactMap(text) }
    return text("CD_recordNames")?.split(separator: ":").map(String.init) ?? []
  }

  private static let prefix = "CD_"
  private static let fileSuffix = "_ckAsset"
}
