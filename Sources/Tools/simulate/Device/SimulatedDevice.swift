import DataModel
import FoundationEssentials
import ObjectStore
import SyncClient
import SyncCore
import Synchronization

/// A device: a store that stays, and a process with a session and a machine that may end at any moment.
final class SimulatedDevice {
  let index: Int
  private(set) var options: WorldOptions.Device
  private(set) var store: Store
  private let clock: WorldClock
  private var configuration: SyncConfiguration

  private let sabotage: SyncSabotage
  private let seed: UInt64
  private let features: Set<Feature>
  private let environment: Store.Environment
  /// Where the store is that a later version opens; in memory where none will.
  private let folder: DeviceFolder?
  /// How many processes there were; what was meant for an earlier one is for nobody.
  private(set) var life = 0
  private(set) var session: SyncSession?
  var machine: SyncMachine
  /// The request that waits for an answer.
  var open: (number: Int, step: SyncStep, replyFile: String?)?
  /// The timer that counts; earlier ones are taken back.
  var timer = 0
  var worker: Worker
  /// Until when nothing goes in or out.
  var partitionedUntil: Int64 = 0
  /// The end of the last pass; nil while one is under way.
  var lastEnd: SyncMachine.PassEnd?
  var token: String?

  init(
    _ index: Int, _ world: WorldOptions, _ clock: WorldClock, sabotage: SyncSabotage
  ) throws {
    self.index = index
    options = world.devices[index]
    self.clock = clock
    self.sabotage = sabotage
    (seed, features) = (world.seed, world.features)
    worker = Worker(device: index, world)
    environment = Self.environment(index, world, clock)
    folder = features.contains(.upgrades) && options.version == 1 ? try DeviceFolder() : nil
    store = try Self.store(options.version, features, folder, environment)
    var configuration = SyncConfiguration(
      server: "simulation", container: "world",
      environment: world.features.contains(.promotion) ? "production" : "development",
      profile: world.profile)
    if features.contains(.laterRecords) { configuration.versionMax = Int64(options.version) }
    configuration.usesExtensions = world.extensions != .unasked
    configuration.machine.isAutomatic = options.isAutomatic
    if world.hasLosses, !options.decidesLater {
      for trouble in Self.losses { configuration.machine.policies[trouble] = options.policy }
    }
    self.configuration = configuration
    machine = SyncMachine(configuration.machine, seed: seed)
  }

  /// The trouble that comes of what a server has lost.
  private static let losses: [Trouble] = [
    .zoneDeleted, .zoneReset, .serverRestored, .tokenExpired,
  ]

  private static func environment(
    _ index: Int, _ world: WorldOptions, _ clock: WorldClock
  ) -> Store.Environment {
    let skew = world.devices[index].skew
    let identifiers = Mutex(RandomForks.source(world.seed, "identifiers \(index)"))
    var environment = Store.Environment.system
    environment.processName = nil
    environment.now = { Date(timeIntervalSince1970: Double(clock.now + skew) / 1_000) }
    environment.newIdentifier = {
      identifiers.withLock { random in
        let words = (random.next(), random.next())
        return withUnsafeBytes(of: words) { UUID(uuid: $0.load(as: uuid_t.self)) }
      }
    }
    return environment
  }

  private static func store(
    _ version: Int, _ features: Set<Feature>, _ folder: DeviceFolder?,
    _ environment: Store.Environment
  ) throws -> Store {
    try Store(
      at: folder.map { .file($0.storePath) } ?? .memory,
      schema: WorldSchema.schema(version: version, features: features), environment: environment)
  }

  /// A later version of the program opens the store, while no process runs.
  func upgrade() throws {
    guard folder != nil else { return }
    options.version = 2
    worker.version = 2
    if configuration.versionMax != nil { configuration.versionMax = 2 }
    store = try Self.store(options.version, features, folder, environment)
  }

  /// The device's time.
  var now: Int64 { clock.now + options.skew }

  /// A process begins.
  func start() throws {
    life += 1
    let session = try SyncSession(
      store, configuration, device: DeviceNumber(rawValue: UInt64(index + 1)),
      random: RandomForks.source(seed, "names \(index) \(life)"), sabotage: sabotage)
    machine = SyncMachine(
      configuration.machine, seed: seed &+ UInt64(index * 1_000 + life))
    self.session = session
    (open, lastEnd) = (nil, nil)
    timer += 1
  }

  /// The process ends at once.
  func kill() {
    session = nil
    open = nil
    timer += 1
  }

  var isAlive: Bool { session != nil }
}
