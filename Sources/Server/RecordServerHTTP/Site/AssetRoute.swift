import AssetFiles
import HTTPServer
import RecordServer
import RecordWire

/// Where files are sent to and fetched from; whoever has the address may use it.
enum AssetRoute {
  static let row = ServedRoute(
    serves: { if case .asset = $0 { true } else { false } },
    answer: { site, facts, route in
      guard case .asset(let place, let action, let sealed) = route,
        let host = site.containers[place.container],
        let setting = host.service(place.environment).assets
      else { return .nothing(facts) }
      if facts.request.method == .options {
        return Answer(response: CrossOrigin.preflight("*"))
      }
      let work = AssetWork(
        site: site, facts: facts, place: place, host: host, setting: setting, sealed: sealed)
      var answer: Answer
      do {
        answer = action == .upload ? try await work.upload() : try work.download()
      } catch {
        answer = .failure(error, id: facts.id)
      }
      // The address is the secret, and no page can guess it.
      if facts.origin != nil { CrossOrigin.allow("*", &answer.response) }
      return answer
    })
}

/// One request for a file's bytes.
private struct AssetWork: Sendable {
  let site: RecordSite
  let facts: RequestFacts
  let place: Place
  let host: ContainerHost
  let setting: AssetSetting
  let sealed: String

  func upload() async throws -> Answer {
    try facts.check([.post, .put])
    let now = site.sources.milliseconds()
    let ticket = try AssetTicket(
      opening: sealed, container: place.container, environment: place.environment,
      seal: setting.seal, now: now)
    guard let folder = host.files(place.environment) else { return .nothing(facts) }
    let service = host.service(place.environment)
    let database = ticket.scope.database
    let quota = AssetQuota(database, bytesMax: service.limits.assetBytesMax(of: database))
    let file = try await folder.store(facts.request.body)
    try await folder.keep(file, within: quota, in: service.storage, now: now)
    return .json(try ticket.response(for: file, seal: setting.seal, now: now).json())
  }

  func download() throws -> Answer {
    try facts.check([.get, .head])
    let download = try AssetDownload(
      opening: sealed, container: place.container, environment: place.environment,
      seal: setting.seal, now: site.sources.milliseconds())
    guard let reader = try host.files(place.environment)?.reader(of: download.file.address) else {
      throw RequestFailure.noAssetHere
    }
    return Answer(response: try FileResponse(reader, facts.request).response())
  }
}

/// The bytes of a file as a response, or the part of them that is asked for.
struct FileResponse {
  private let reader: AssetFileReader
  private let request: HTTPRequest

  init(_ reader: AssetFileReader, _ request: HTTPRequest) {
    self.reader = reader
    self.request = request
  }

  func response() throws -> HTTPResponse {
    var headers: HTTPResponseHeaders = [
      "Content-Type": "application/octet-stream", "Accept-Ranges": "bytes",
      "Cache-Control": "private, max-age=3600", "X-Content-Type-Options": "nosniff",
    ]
    guard let range = ByteRange(request.headers["Range"], size: reader.size) else {
      return stream(0..<reader.size, .ok, headers)
    }
    guard case .part(let part) = range else {
      headers.append("Content-Range", "bytes */\(reader.size)")
      return HTTPResponse(status: HTTPStatus(416), headers: headers)
    }
    headers.append(
      "Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(reader.size)")
    return stream(part, HTTPStatus(206), headers)
  }

  private func stream(
    _ range: Range<Int64>, _ status: HTTPStatus, _ headers: HTTPResponseHeaders
  ) -> HTTPResponse {
    let reader = reader
    // Files of one piece have a length, which clients show.
    if range.upperBound - range.lowerBound <= Int64(AssetLimits.chunkBytes),
      let bytes = try? reader.bytes(range)
    {
      return HTTPResponse(status: status, headers: headers, body: bytes)
    }
    return HTTPResponse(
      status: status, headers: headers,
      stream: HTTPStream { writer in
        var offset = range.lowerBound
        while true {
          let chunk = try reader.chunk(at: offset, upTo: range.upperBound)
          if chunk.isEmpty { return }
          try await writer.write(chunk)
          offset += Int64(chunk.count)
        }
      })
  }
}

/// One range of the header `Range`; requests for several get the whole.
///
/// See RFC 9110, section 14.
enum ByteRange: Hashable {
  case part(Range<Int64>)
  case unsatisfiable

  /// Reads a header; nil where there is none, or none that has to be followed.
  init?(_ header: String?, size: Int64) {
    guard let header, header.hasPrefix("bytes="), !header.contains(",") else { return nil }
    let ends = header.dropFirst("bytes=".count).split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    switch (Self.number(ends[0]), Self.number(ends[1])) {
    case (nil, let length?) where ends[0].isEmpty:
      self = length == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - length)..<size)
    case (let first?, nil) where ends[1].isEmpty:
      self = first < size ? .part(first..<size) : .unsatisfiable
    case (let first?, let last?) where last >= first:
      self = first < size ? .part(first..<min(size, last + 1)) : .unsatisfiable
    default: return nil
    }
  }

  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    // The largest number is no place in a file, and one more must still be one.
    return Int64(text).map { min($0, .max - 1) }
  }
}
