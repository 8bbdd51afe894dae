import AssetFiles
import RecordServer
import RecordServerHTTP

/// What a server does by itself from time to time.
struct Housekeeping: Sendable {
  private let containers: ContainerDirectory
  private let tombstoneDays: Int
  private let log: ServerLog

  /// How long it waits between two rounds.
  static let pause = Duration.seconds(3600)
  private static let dayMilliseconds: Int64 = 86_400_000

  init(_ containers: ContainerDirectory, tombstoneDays: Int, _ log: ServerLog) {
    self.containers = containers
    self.tombstoneDays = tombstoneDays
    self.log = log
  }

  /// Goes around until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      let now = SiteSources.system.milliseconds()
      let moment = now - Int64(tombstoneDays) * Self.dayMilliseconds
      for host in containers.all {
        await tell("files-removed", host) { try await host.sweepFiles(now: now) }
        await tell("tombstones-dropped", host) {
          try await host.dropTombstones(madeBefore: moment)
        }
      }
      try? await Task.sleep(for: Self.pause)
    }
  }

  /// Does a piece of work, and logs how much there was to do.
  private func tell(
    _ event: String, _ host: ContainerHost, _ work: @Sendable () async throws -> Int
  ) async {
    do {
      let count = try await work()
      guard count > 0 else { return }
      log.event(
        .info, event, ["container": .text(host.name), "count": .number(Int64(count))])
    } catch {
      log.event(.error, event, ["container": .text(host.name), "detail": .text("\(error)")])
    }
  }
}
