public import ObjectStore
import RecordWire
import SyncCore

extension Store {
  /// Has a store that is a copy of a synced one synced with another container from now on.
  ///
  /// All records are sent there as they are, under the names that they have, with what this program does
  /// not know of them. The container that it was synced with is not asked, and keeps what it has. It may
  /// be called again after it was cut short; for a store that is synced with that container already it
  /// does nothing.
  ///
  /// ```swift
  /// try store.copy(to: .file("moved.sqlite"))
  /// let moved = try Store(at: .file("moved.sqlite"), schema: store.schema)
  /// try moved.moveSync(to: SyncConfiguration(server: url, container: "org.example.new"))
  /// ```
  ///
  /// Throws `pendingChanges` where something is still to be sent to the old container.
  public func moveSync(
    to configuration: SyncConfiguration, environment: SyncEnvironment = .system
  ) throws {
    var random = environment.random
    let device = DeviceNumber(rawValue: random.next())
    try withExtendedLifetime(SyncLease(location)) {
      let status = try SyncStatus.read(self)
      if !status.isSynced(with: configuration) {
        guard status.isIdle else {
          throw SyncError(
            .pendingChanges, "the store", "has changes that its container does not have yet",
            fix: "sync it first")
        }
        try bind(to: configuration, as: device)
      }
      guard try SyncStatus.read(self).trouble == .zoneReset else { return }
      let session = try SyncSession(self, configuration, device: device, random: random)
      try session.resolve(.reupload, now: environment.now())
    }
  }

  /// Writes down the new container, and that nothing of what was confirmed is there.
  private func bind(to configuration: SyncConfiguration, as device: DeviceNumber) throws {
    try write(author: SyncAuthor.name) { transaction in
      let rows = SyncRows(connection: transaction.connection)
      try rows.set(.server, configuration.server)
      try rows.set(.container, configuration.container)
      try rows.set(.environment, configuration.environment)
      // The original goes on as the device that it was.
      try rows.set(.device, Int64(bitPattern: device.rawValue))
      try rows.set(.account, nil)
      try rows.set(.lastSuccess, nil)
      guard var zone = try rows.zones().first else { return }
      (zone.identity, zone.token, zone.isMade) = (configuration.zone, nil, false)
      try rows.put(zone)
      try rows.forgetLacks()
      try rows.set(.trouble, Trouble.zoneReset.rawValue)
    }
  }
}

extension SyncStatus {
  fileprivate func isSynced(with configuration: SyncConfiguration) -> Bool {
    server == configuration.server && container == configuration.container
      && environment == configuration.environment && zone == configuration.zone.name
  }
}
