/// Whether and how a response travels compressed.
struct ResponseCompression {
  /// Bodies below this size gain nothing.
  let bodyBytesMin: Int
  private let encoder: GzipEncoder

  init(bodyBytesMin: Int, level: Int) {
    self.bodyBytesMin = bodyBytesMin
    encoder = GzipEncoder(level: level)
  }

  /// Compresses the response where the request allows it and the body is worth it.
  func apply(to response: inout HTTPResponse, for head: HTTPRequestHead) {
    guard case .bytes(let body) = response.body, body.count >= bodyBytesMin,
      !response.status.forbidsBody
    else { return }
    let facts = CompressionFacts(response.headers)
    guard !facts.isEncoded, !facts.isPart,
      ContentCodings.isCompressible(contentType: facts.contentType)
    else { return }
    // Caches must know that the answer depends on it, also where it is not compressed.
    if !facts.variesByEncoding { response.headers.append("Vary", "Accept-Encoding") }
    guard head.headers.contains("accept-encoding"),
      ContentCodings.acceptsGzip(head.headers.values(of: "accept-encoding")),
      let smaller = encoder.encode(body)
    else { return }
    response.body = .bytes(smaller)
    response.headers.append("Content-Encoding", "gzip")
    // A strong validator stands for bytes, and these are others (RFC 9110, section 8.8.3).
    if let tag = response.headers["etag"], !tag.hasPrefix("W/") {
      response.headers["ETag"] = "W/" + tag
    }
  }
}

/// What a response's headers say of its compression, found in one look at them.
private struct CompressionFacts {
  var isEncoded = false
  var isPart = false
  var contentType: String?
  var variesByEncoding = false

  init(_ headers: HTTPResponseHeaders) {
    for field in headers.fields {
      // NB: most names are told by their lengths.
      switch field.name.utf8.count {
      case 16 where Self.isNamed("content-encoding", field): isEncoded = true
      case 13 where Self.isNamed("content-range", field): isPart = true
      case 12 where Self.isNamed("content-type", field):
        contentType = contentType ?? field.value
      case 4 where Self.isNamed("vary", field):
        variesByEncoding = variesByEncoding || Self.namesEncoding(field.value)
      default: break
      }
    }
  }

  private static func isNamed(_ name: String, _ field: HTTPResponseHeaders.Field) -> Bool {
    ASCII.equal(field.name.utf8, name.utf8)
  }

  private static func namesEncoding(_ list: String) -> Bool {
    ASCII.list(ArraySlice(list.utf8)).contains { item in
      item.elementsEqual("*".utf8) || ASCII.equal(item, "accept-encoding".utf8)
    }
  }
}
