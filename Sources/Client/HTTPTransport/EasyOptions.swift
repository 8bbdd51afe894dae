import CCurl

/// A transfer of libcurl, which it calls an easy handle.
typealias OpaqueEasy = UnsafeMutableRawPointer

/// Sets options of a transfer, and keeps the first failure.
struct EasyOptions {
  private let easy: OpaqueEasy
  private(set) var result = CURLE_OK

  init(_ easy: OpaqueEasy) { self.easy = easy }

  mutating func fail() { note(CURLE_OUT_OF_MEMORY) }

  mutating func set(_ option: CURLoption, _ value: Int) {
    note(contrail_curl_set_long(easy, option, value))
  }

  mutating func set(_ option: CURLoption, offset: Int) {
    note(contrail_curl_set_offset(easy, option, curl_off_t(offset)))
  }

  /// libcurl keeps a copy of the text.
  mutating func set(_ option: CURLoption, _ text: String) {
    note(contrail_curl_set_text(easy, option, text))
  }

  /// libcurl keeps the pointer.
  mutating func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer) {
    note(contrail_curl_set_pointer(easy, option, pointer))
  }

  /// libcurl keeps the list's address.
  mutating func set(_ option: CURLoption, list: UnsafeMutablePointer<curl_slist>?) {
    note(contrail_curl_set_list(easy, option, list))
  }

  mutating func set(_ option: CURLoption, bytes function: contrail_curl_bytes) {
    note(contrail_curl_set_bytes(easy, option, function))
  }

  mutating func setSeek(_ function: contrail_curl_seek) {
    note(contrail_curl_set_seek(easy, function))
  }

  /// libcurl copies as many bytes as were set as the body's size.
  mutating func copyBody(_ body: [UInt8]) {
    let result = body.withUnsafeBufferPointer { bytes in
      // Without any bytes there is no address, and nil would mean that bytes are asked for.
      guard let start = bytes.baseAddress, !bytes.isEmpty else {
        return contrail_curl_set_text(easy, CURLOPT_COPYPOSTFIELDS, "")
      }
      return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        contrail_curl_set_text(easy, CURLOPT_COPYPOSTFIELDS, $0)
      }
    }
    note(result)
  }

  private mutating func note(_ code: CURLcode) {
    if result == CURLE_OK { result = code }
  }
}

extension EasyOptions {
  /// What concerns the connection.
  mutating func setConnection(_ configuration: HTTPClientConfiguration, timeout: Duration) {
    set(CURLOPT_NOSIGNAL, 1)
    // A request that is given up does not wait for the thread that looks up its host; that ends by itself.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // ARCHITECTURE.md says why not HTTP/2.
    set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    if let file = configuration.caFile {
      set(CURLOPT_CAINFO, file)
      // Else the system's folder would be trusted beside the file.
      note(contrail_curl_set_text(easy, CURLOPT_CAPATH, nil))
    }
    if !configuration.usesProxyOfEnvironment { set(CURLOPT_PROXY, "") }
    set(CURLOPT_USERAGENT, configuration.userAgent)
    set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
    set(CURLOPT_TIMEOUT_MS, timeout.wholeMilliseconds)
    set(CURLOPT_MAXAGE_CONN, max(1, configuration.idleConnectionMax.wholeMilliseconds / 1_000))
    set(CURLOPT_BUFFERSIZE, Self.readBytes)
  }

  /// Gives up where less than a byte in a second moves, for so long.
  mutating func setStall(_ timeout: Duration) {
    set(CURLOPT_LOW_SPEED_LIMIT, 1)
    set(CURLOPT_LOW_SPEED_TIME, max(1, timeout.wholeMilliseconds / 1_000))
  }

  mutating func setRedirects(_ request: HTTPClientRequest) {
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    guard request.followsRedirects else { return }
    let isSecure = request.url.prefix(6).lowercased() == "https:"
    set(CURLOPT_REDIR_PROTOCOLS_STR, isSecure ? "https" : "http,https")
    set(CURLOPT_FOLLOWLOCATION, 1)
    set(CURLOPT_MAXREDIRS, HTTPClientRequest.redirectsMax)
  }

  /// How much is read from a connection at a time.
  private static let readBytes = 64 << 10
}

extension Duration {
  /// Whole milliseconds, at least one: none would mean for ever.
  fileprivate var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 1 }
    // A week is longer than any request.
    return max(1, Int(min(seconds, 604_800)) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
