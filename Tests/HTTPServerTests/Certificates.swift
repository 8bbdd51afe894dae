import ChildPrograms
import Foundation
import HTTPServer

/// Certificates that the `openssl` tool makes while tests run.
enum Certificates {
  /// Files of a new key and a certificate that it signed itself.
  static func make(_ name: String) throws -> TLSFiles {
    let folder = FileManager.default.temporaryDirectory.path + "/contrail-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let files = TLSFiles(certificateChain: folder + "/chain.pem", privateKey: folder + "/key.pem")
    _ = try ChildProgram.run([
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-days", "2", "-subj", "/CN=\(name)", "-keyout", files.privateKey, "-out",
      files.certificateChain,
    ])
    return files
  }
}
