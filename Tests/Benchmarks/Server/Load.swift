import FoundationEssentials

/// The program `wrk`, which sends requests over 64 connections that stay open, one after the other from a
/// list that begins anew when it ends.
struct Load {
  static let connections = 64

  let folder: String
  let seconds: Int

  /// Sends `bodies` to a path, and returns the server's time for each request.
  func run(_ process: ChildProcess, _ port: UInt16, _ path: String, _ bodies: [[UInt8]]) throws
    -> ServerReading
  {
    let (script, output) = ("\(folder)/load.lua", "\(folder)/load.out")
    try Data(Self.script(path, bodies).utf8).write(to: URL(filePath: script))
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

  /// What makes the requests: before the load begins, so that little is done for each.
  private static func script(_ path: String, _ bodies: [[UInt8]]) -> String {
    let texts = bodies.map { "  [==[\(String(decoding: $0, as: UTF8.self))]==],\n" }.joined()
    return """
      local bodies = {
      \(texts)}
      local requests, next = {}, 0
      wrk.headers["Content-Type"] = "application/json"
      init = function()
        for index, body in ipairs(bodies) do
          requests[index] = wrk.format("POST", "\(path)", nil, body)
        end
      end
      request = function()
        next = next % #requests + 1
        return requests[next]
      end

      """
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
