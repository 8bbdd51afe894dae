// Programs that get a later version while there is work of the earlier one.
extension World {
  /// Draws which devices get the later version, and when.
  func planUpgrades() {
    guard options.features.contains(.upgrades) else { return }
    var random = RandomForks.source(options.seed, "upgrades")
    for device in devices where device.options.version == 1 && random.chance(700) {
      add(.upgrade(device: device.index), after: random.milliseconds(0...options.span))
    }
  }

  /// The program ends, and a later version of it opens the same store, now or when it begins again.
  func upgrade(_ device: SimulatedDevice) throws {
    guard !isQuiet else { return }
    let isAlive = device.isAlive
    device.kill()
    try device.upgrade()
    note(device.index, "has version \(device.options.version)")
    if isAlive { add(.revive(device: device.index), after: random.milliseconds(10...120_000)) }
  }
}
