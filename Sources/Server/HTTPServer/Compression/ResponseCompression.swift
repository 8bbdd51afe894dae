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
      !response.status.forbidsBody, response.headers["content-encoding"] == nil,
      response.headers["content-range"] == nil,
      ContentCodings.isCompressible(contentType: response.headers["content-type"])
    else { return }
    // Caches must know that the answer depends on it, also where it is not compressed.
    if !variesByEncoding(response) { response.headers.append("Vary", "Accept-Encoding") }
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

  private func variesByEncoding(_ response: HTTPResponse) -> Bool {
    response.headers.fields.contains { field in
      ASCII.equal(field.name.utf8, "vary".utf8)
        && ASCII.list(ArraySlice(field.value.utf8)).contains { item in
          item.elementsEqual("*".utf8) || ASCII.equal(item, "accept-encoding".utf8)
        }
    }
  }
}
