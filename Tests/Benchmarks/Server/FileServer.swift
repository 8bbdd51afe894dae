import FoundationEssentials
import ServerFloors

/// An nginx of one process that serves bytes from memory and files: what serving them costs at least.
final class FileServer {
  let port: UInt16
  let process: ChildProcess

  /// Serves `answer` at `/answer`, to any method, and `files` at `/files/0`, `/files/1` and so on.
  init(in folder: String, answer: [UInt8] = [], files: [[UInt8]] = []) throws {
    let port = server_free_port()
    self.port = port
    try FileManager.default.createDirectory(
      atPath: "\(folder)/files", withIntermediateDirectories: true)
    for (number, file) in files.enumerated() {
      try Data(file).write(to: URL(filePath: "\(folder)/files/\(number)"))
    }
    let configuration = try Self.configuration(folder, port, answer)
    try Data(configuration.utf8).write(to: URL(filePath: "\(folder)/nginx.conf"))
    process = try ChildProcess(
      Program.installed("nginx").path,
      ["-p", folder, "-e", "\(folder)/error.log", "-c", "\(folder)/nginx.conf"])
    try Waiting.until(atMost: 10, "nginx starts") { server_listens(port) != 0 }
  }

  private static func configuration(
    _ folder: String, _ port: UInt16, _ answer: [UInt8]
  ) throws -> String {
    let text = String(decoding: answer, as: UTF8.self)
    // nginx takes what follows for the name of a variable, and knows no way to write it otherwise.
    if text.utf8.contains(UInt8(ascii: "$")) { throw BenchFailure("nginx cannot answer with a $") }
    let quoted = text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "  \($0)_temp_path \(folder)/\($0);" }.joined(separator: "\n")
    return """
      daemon off;
      master_process off;
      pid \(folder)/nginx.pid;
      events { worker_connections 1024; }
      http {
        access_log off;
        keepalive_requests 1000000000;
        sendfile on;
        tcp_nopush on;
        default_type application/json;
      \(temporary)
        server {
          listen 127.0.0.1:\(port);
          location = /answer { return 200 '\(quoted)'; }
          location /files/ { root \(folder); }
        }
      }

      """
  }
}
