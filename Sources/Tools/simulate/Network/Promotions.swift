import DataModel
import RecordServer
import RecordWire
import SchemaFormats
import Synchronization

/// What containers have in production after a promotion: the same in all worlds of a kind, so that thousands
/// of worlds promote once.
final class Promotions: Sendable {
  static let shared = Promotions()

  /// A schema as a server stores it.
  struct Stored {
    let bytes: [UInt8]
    let version: Int64
  }

  private struct Key: Hashable {
    let version: Int
    let features: Set<Feature>
    let earlier: [UInt8]?
  }

  /// When every promotion was made: worlds have no clock in common.
  private static let moment: Int64 = 1_700_000_000_000

  private let known = Mutex<[Key: Stored]>([:])

  /// The schema of a version, promoted over what production has.
  func stored(
    version: Int, _ features: Set<Feature>, over earlier: [UInt8]?
  ) throws -> Stored {
    let key = Key(version: version, features: features, earlier: earlier)
    if let found = known.withLock({ $0[key] }) { return found }
    let made = try Self.make(key)
    known.withLock { $0[key] = made }
    return made
  }

  private static func make(_ key: Key) throws -> Stored {
    let schema = WorldSchema.schema(version: key.version, features: key.features)
    let profile = key.features.contains(.coreData) ? MappingProfile.coreData : .native
    let text = Array(try CKDB.text(of: schema.mapped(profile).schema).utf8)
    let mark = AuditMark(by: "simulation", at: moment)
    let old = try key.earlier.map { try ContainerSchema(stored: $0) } ?? ContainerSchema()
    let imported = old.importing(text, file: "world.ckdb", by: mark).schema
    let outcome = imported.promoting(accepting: ["write-to-world"], by: mark)
    guard outcome.plan.refusals.isEmpty else {
      throw SimulationFailure(
        checker: "promotion", message: "\(outcome.plan.refusals)", time: mark.milliseconds)
    }
    return Stored(bytes: try outcome.schema.stored(), version: outcome.schema.version)
  }
}
