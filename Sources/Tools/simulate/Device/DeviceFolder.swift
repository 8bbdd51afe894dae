import FoundationEssentials

/// The folder of a device whose store is a file; it is taken away with the device.
final class DeviceFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(
      path: "contrail-device-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Where the store is.
  var storePath: String { url.appending(path: "store.sqlite").path }

  deinit { try? FileManager.default.removeItem(at: url) }
}
