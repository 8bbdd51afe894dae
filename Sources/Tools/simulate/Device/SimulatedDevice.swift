import DataModel
import FoundationEssentials
import ObjectStore
import SyncClient
import SyncCore
import Synchronization

/// A device: a store that stays, and a process with a session and a machine that may end at any moment.
final class SimulatedDevice {
  let index: Int
  let options: WorldOptions.Device
  let store: Store
  private let clock: WorldClock
  private let configuration: SyncConfiguration

  private let sabotage: SyncSabotage
  private let seed: UInt64
  /// How many processes there were; what was meant for an earlier one is for nobody.
  private(set) var life = 0
  private(set) var session: SyncSession?
  var machine: SyncMachine
  /// The request that waits for an answer.
  var open: (number: Int, step: SyncStep)?
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

    seed = world.seed
    worker = Worker(device: index, world)
    store = try Self.store(index, world, clock)
    var configuration = SyncConfiguration(
      server: "simulation", container: "world",
      environment: world.features.contains(.promotion) ? "production" : "development")
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

  private static func store(
    _ index: Int, _ world: WorldOptions, _ clock: WorldClock
  ) throws -> Store {
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
    let schema = WorldSchema.schema(
      version: world.devices[index].version, features: world.features)
    return try Store(at: .memory, schema: schema, environment: environment)
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
