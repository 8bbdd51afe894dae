import HTTPServer

/// Reads any bytes as requests: whole, byte by byte, and in two pieces, which must agree.
///
/// A trap, a hang or a difference is a finding. The first byte chooses where the bytes are cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  let whole = report([bytes])
  precondition(report(bytes.map { [$0] }) == whole, "byte by byte is another reading")
  let cut = Int(bytes.first ?? 0) * bytes.count / 256
  precondition(
    report([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "two pieces are another reading")
  _ = try? GzipDecoder.decode(bytes, expandedBytesMax: 100_000)
  return 0
}

/// All that the parser tells about bytes in pieces.
private func report(_ pieces: [[UInt8]]) -> [String] {
  var limits = HTTPLimits()
  limits.headBytesMax = 1000
  limits.targetBytesMax = 200
  limits.headersMax = 10
  limits.chunkExtensionBytesMax = 20
  limits.trailerBytesMax = 40
  var parser = RequestParser(limits: limits)
  var lines: [String] = []
  for piece in pieces {
    var offset = 0
    reading: while true {
      switch parser.next(piece.span, at: &offset) {
      case .needsMore:
        precondition(offset == piece.count, "bytes are left")
        break reading
      case .head(let head):
        lines.append("\(head.method) \(head.target) \(head.path) \(head.query ?? "-")")
        lines += head.headers.all.map { "\($0.name): \($0.value)" }
        if let fault = parser.acceptBody(limit: 2000) { lines.append("\(fault)") }
      case .body(let body):
        precondition(body.count <= 2000, "the body is beyond its limit")
        lines.append("\(body)")
      case .refused(let fault): return lines + ["\(fault)"]
      }
    }
  }
  return lines
}
