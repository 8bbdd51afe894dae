import FoundationEssentials

/// The program `wrk`, which sends the same request again and again over 64 connections that stay open.
struct Load {
  static let connections = 64

  let folder: String
  let seconds: Int

  /// Sends `body` to a path, and returns the server's time for each request.
  func run(_ process: ChildProcess, _ port: UInt16, _ path: String, _ body: [UInt8]) throws
    -> ServerReading
  {
    let (script, output) = ("\(folder)/load.lua", "\(folder)/load.out")
    let text = String(decoding: body, as: UTF8.self)
    try Data(
      """
      wrk.method = "POST"
      wrk.headers["Content-Type"] = "application/json"
      wrk.body = [==[\(text)]==]

      """.utf8
    ).write(to: URL(filePath: script))
    let worked = process.processorMicroseconds
    try ChildProcess(
      Program.installed("wrk").path,
      [
        "-t1", "-c\(Self.connections)", "-d\(seconds)s", "-s", script,
        "http://127.0.0.1:\(port)\(path)",
      ], output: output
    ).wait()
    let processor = process.processorMicroseconds - worked
    let count = try Self.count(SmallText.read(output))
    return ServerReading(
      processor: processor / count, wall: Double(seconds) * 1e6 / count, result: 0)
  }

  /// How many requests there were, out of `  1234 requests in 2.00s, 1.23MB read`.
  private static func count(_ output: String) throws -> Double {
    if output.contains("Non-2xx") {
      throw BenchFailure("wrk got other answers than 200:\n\(output)")
    }
    for line in output.split(separator: "\n") where line.contains(" requests in ") {
      if let count = line.split(separator: " ").first.flatMap({ Double($0) }), count > 0 {
        return count
      }
    }
    throw BenchFailure("wrk counted no requests:\n\(output)")
  }
}
