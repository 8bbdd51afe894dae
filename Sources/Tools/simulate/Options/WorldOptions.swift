import DataModel
import SyncCore

/// What a world is like: drawn from its seed.
struct WorldOptions: Sendable {
  /// What a device is like.
  struct Device: Sendable {
    /// The version of its schema, 1 or 2.
    var version = 1
    /// By how much its clock is wrong, in milliseconds.
    var skew: Int64 = 0
    /// Whether it syncs by itself.
    var isAutomatic = false
    /// What is done about what the server has lost.
    var policy = TroublePolicy.reupload
    /// Whether somebody decides that when it is asked, and nothing is chosen before.
    var decidesLater = false
  }

  /// What a server is like beyond the protocol.
  enum Extensions: String, Sendable {
    /// It has them, and the device uses them.
    case used
    /// The devices do not ask.
    case unasked
    /// The devices ask, and the server knows nothing of it.
    case unknown
  }

  var seed: UInt64
  var features: Set<Feature>
  var devices: [Device]
  var extensions = Extensions.used
  /// How many transactions there are in all.
  var transactions: Int
  /// How long the work goes on, in milliseconds.
  var span: Int64
  var pageRecords = 200
  var operationsMax = 200
  var faults: FaultRates
}

/// How often things go wrong, in thousandths.
struct FaultRates: Sendable {
  var lostRequest = 0
  var lostReply = 0
  var duplicate = 0
  var late = 0
  var slow = 0
  var refusal = 0
  var itemRefusal = 0
  /// Operations that are refused for good.
  var finalRefusal = 0
  var truncation = 0
  /// At each step of a device.
  var kill = 0
  /// In the whole world.
  var partitions = 0
  var restarts = 0
}

extension WorldOptions {
  private static let day: Int64 = 86_400_000

  /// Draws a world; what `without` names is not in it, and what `adding` names is.
  init(seed: UInt64, without: Set<Feature> = [], adding: Set<Feature> = []) {
    var random = RandomForks.source(seed, "options")
    var features: Set<Feature> = []
    let apart = Set(Feature.drawnApart.map(\.key))
    for feature in Feature.allCases where !apart.contains(feature) && random.chance(700) {
      features.insert(feature)
    }
    for (feature, thousandths) in Feature.drawnApart {
      var own = RandomForks.source(seed, feature.rawValue)
      if own.chance(thousandths) { features.insert(feature) }
    }
    features.subtract(without)
    features.formUnion(adding)
    if features.contains(.coreData) { features.subtract(Feature.nativeOnly) }
    self.seed = seed
    self.features = features
    let count = random.int(2...4) + (random.chance(200) ? 2 : 0)
    devices = []
    for index in 0..<count {
      var device = Device()
      let isNewer = random.chance(500)
      if features.contains(.versions), isNewer || index == 0 { device.version = 2 }
      let (isSkewed, skew) = (
        random.chance(400), random.milliseconds(-365 * Self.day...365 * Self.day)
      )
      if features.contains(.skew), isSkewed { device.skew = skew }
      device.isAutomatic = random.chance(600)
      devices.append(device)
    }
    transactions = random.int(8...40)
    span = Int64(random.int(2...30)) * 60_000
    let kind = random.int(0...2)
    if features.contains(.plainServers) {
      extensions = kind == 0 ? .used : kind == 1 ? .unasked : .unknown
    }
    let (page, operations) = (random.int(1...20), random.int(1...20))
    if features.contains(.smallLimits) { (pageRecords, operationsMax) = (page, operations) }
    faults = FaultRates(features, &random)
    drawPolicies()
  }

  /// How objects become records.
  var profile: MappingProfile { features.contains(.coreData) ? .coreData : .native }

  /// Whether the server loses something that devices have to decide about.
  var hasLosses: Bool { features.contains(.zoneLosses) || features.contains(.restores) }

  /// Draws what is done about what a server has lost: in half of all worlds the same everywhere.
  private mutating func drawPolicies() {
    var random = RandomForks.source(seed, "policies")
    let policies: [TroublePolicy] = [.reupload, .reupload, .keepLocal, .deleteLocal]
    let common = random.chance(500) ? random.pick(policies) : nil
    for index in devices.indices {
      let own = random.pick(policies) ?? .reupload
      devices[index].policy = common ?? own
      devices[index].decidesLater = random.chance(300)
    }
  }
}

extension FaultRates {
  init(_ features: Set<Feature>, _ random: inout SeededRandom) {
    func rate(_ feature: Feature, _ high: Int) -> Int {
      let drawn = random.int(high / 8...high)
      return features.contains(feature) ? drawn : 0
    }
    lostRequest = rate(.losses, 150)
    lostReply = rate(.losses, 150)
    duplicate = rate(.duplicates, 100)
    late = rate(.lateArrivals, 60)
    slow = rate(.slowness, 80)
    refusal = rate(.refusals, 100)
    itemRefusal = rate(.itemRefusals, 150)
    truncation = rate(.truncation, 80)
    finalRefusal = features.contains(.choices) ? 120 : 0
    kill = rate(.kills, 40)
    partitions = features.contains(.partitions) ? random.int(1...3) : 0
    restarts = features.contains(.restarts) ? random.int(1...2) : 0
  }
}
