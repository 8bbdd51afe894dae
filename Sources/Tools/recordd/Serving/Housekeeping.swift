import AssetFiles
import RecordServer
import RecordServerHTTP

/// What a server does by itself from time to time.
struct Housekeeping: Sendable {
  private let containers: ContainerDirectory
  private let log: ServerLog

  /// How long it waits between two rounds.
  static let pause = Duration.seconds(3600)

  init(_ containers: ContainerDirectory, _ log: ServerLog) {
    self.containers = containers
    self.log = log
  }

  /// Goes around until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      for host in containers.all {
        do {
          let removed = try await host.sweepFiles(now: SiteSources.system.milliseconds())
          if removed > 0 {
            log.event(
              .info, "sweep",
              ["container": .text(host.name), "files": .number(Int64(removed))])
          }
        } catch {
          log.event(
            .error, "sweep", ["container": .text(host.name), "detail": .text("\(error)")])
        }
      }
      try? await Task.sleep(for: Self.pause)
    }
  }
}
