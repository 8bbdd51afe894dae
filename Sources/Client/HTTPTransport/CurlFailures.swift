import CCurl

extension HTTPClientError {
  /// What libcurl's result means; `detail` are its own words, where it has some.
  init(_ result: CURLcode, url: String, detail: String) {
    let code = Self.codes[result.rawValue] ?? .clientFailed
    let ownWords = detail.isEmpty ? String(cString: curl_easy_strerror(result)) : detail
    self.init(code, url: url, Self.words[code] ?? ownWords)
  }

  /// Our words where those of libcurl differ from one of its versions to the next, and say no more.
  private static let words: [Code: String] = [
    .unknownHost: "no host of that name is known",
    .cannotConnect: "no connection came about",
    .timedOut: "no whole answer came in time",
  ]

  /// One row for each result that a user can do something about.
  private static let codes: [UInt32: Code] = {
    let rows: [(CURLcode, Code)] = [
      (CURLE_URL_MALFORMAT, .badURL), (CURLE_LOGIN_DENIED, .badURL),
      // The scheme was checked before: what came begins like no HTTP of today.
      (CURLE_UNSUPPORTED_PROTOCOL, .malformedResponse),
      (CURLE_COULDNT_RESOLVE_HOST, .unknownHost), (CURLE_COULDNT_RESOLVE_PROXY, .unknownHost),
      (CURLE_COULDNT_CONNECT, .cannotConnect), (CURLE_PROXY, .cannotConnect),
      (CURLE_PEER_FAILED_VERIFICATION, .untrustedCertificate),
      (CURLE_SSL_ISSUER_ERROR, .untrustedCertificate),
      (CURLE_SSL_INVALIDCERTSTATUS, .untrustedCertificate),
      (CURLE_SSL_CONNECT_ERROR, .tlsFailed), (CURLE_SSL_CIPHER, .tlsFailed),
      (CURLE_SSL_CLIENTCERT, .tlsFailed), (CURLE_USE_SSL_FAILED, .tlsFailed),
      (CURLE_SSL_CACERT_BADFILE, .badCAFile), (CURLE_SSL_CRL_BADFILE, .badCAFile),
      (CURLE_OPERATION_TIMEDOUT, .timedOut),
      (CURLE_PARTIAL_FILE, .connectionLost), (CURLE_GOT_NOTHING, .connectionLost),
      (CURLE_SEND_ERROR, .connectionLost), (CURLE_RECV_ERROR, .connectionLost),
      (CURLE_SEND_FAIL_REWIND, .connectionLost), (CURLE_HTTP2, .connectionLost),
      (CURLE_HTTP2_STREAM, .connectionLost),
      (CURLE_WEIRD_SERVER_REPLY, .malformedResponse),
      (CURLE_BAD_CONTENT_ENCODING, .malformedResponse),
      (CURLE_FILESIZE_EXCEEDED, .responseTooLarge),
      (CURLE_TOO_MANY_REDIRECTS, .tooManyRedirects),
    ]
    return Dictionary(rows.map { ($0.0.rawValue, $0.1) }, uniquingKeysWith: { first, _ in first })
  }()
}
