import Foundation
import HTTPServer

/// Certificates that the `openssl` tool makes while tests run.
enum Certificates {
  /// Files of a new key and a certificate that it signed itself.
  static func make(_ name: String) throws -> TLSFiles {
    let folder = FileManager.default.temporaryDirectory.path + "/contrail-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let files = TLSFiles(certificateChain: folder + "/chain.pem", privateKey: folder + "/key.pem")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-days", "2", "-subj", "/CN=\(name)", "-keyout", files.privateKey, "-out",
      files.certificateChain,
    ]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return files
  }
}
