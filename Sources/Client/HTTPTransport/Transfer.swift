import CCurl
import Synchronization

/// One request on its way, and what has come of its answer.
///
/// `@unchecked Sendable`: all but `isCancelled` is used by the loop's thread only. Whoever makes a transfer hands it
/// over by `TransferLoop.start`, whose mutex orders that, and keeps only the right to cancel it.
final class Transfer: @unchecked Sendable {
  /// Whether the caller wants it no more.
  let isCancelled = Atomic<Bool>(false)
  let request: HTTPClientRequest

  /// Who waits; nil once it is answered.
  private var waiter: CheckedContinuation<Result<HTTPClientResponse, HTTPClientError>, Never>?
  /// How much of the body was sent.
  var bodyOffset = 0
  private var body: [UInt8] = []
  private var head = ResponseHead()
  var isTooLarge = false
  /// Whether the end of a refusal was left out: its beginning says why.
  private var isCut = false
  /// The files that bodies are read from and written to; nil for those in memory.
  var source: TransferFile?
  var sink: TransferFile?
  var sunkBytes = 0
  /// What went wrong with one of them.
  var fileFailure: HTTPClientError?
  /// The headers as libcurl wants them.
  private var lines: UnsafeMutablePointer<curl_slist>?
  /// Where libcurl says what failed, as a C text.
  private let detail = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  init(_ request: HTTPClientRequest) {
    self.request = request
    detail.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_slist_free_all(lines)
    detail.deallocate()
  }

  func expect(_ waiter: CheckedContinuation<Result<HTTPClientResponse, HTTPClientError>, Never>) {
    self.waiter = waiter
  }

  func finish(_ result: Result<HTTPClientResponse, HTTPClientError>) {
    waiter?.resume(returning: result)
    waiter = nil
  }

  /// The answer, or why there is none.
  func result(of code: CURLcode) -> Result<HTTPClientResponse, HTTPClientError> {
    (source, sink) = (nil, nil)
    if let fileFailure { return .failure(fileFailure) }
    if isCut {
      return .success(HTTPClientResponse(status: head.status, headers: head.headers, body: body))
    }
    if isTooLarge {
      return .failure(
        HTTPClientError(
          .responseTooLarge, url: request.url,
          "the answer has more than \(request.responseBytesMax) bytes"))
    }
    guard code == CURLE_OK else {
      return .failure(
        HTTPClientError(code, url: request.url, detail: String(cString: detail)))
    }
    return .success(
      HTTPClientResponse(status: head.status, headers: head.headers, body: body))
  }

  var cancellation: Result<HTTPClientResponse, HTTPClientError> {
    .failure(HTTPClientError(.cancelled, url: request.url, "the request was cancelled"))
  }
}

extension Transfer {
  /// Tells libcurl all about the request; `easy` must be new or reset, and end before the transfer does.
  func prepare(_ easy: OpaqueEasy, _ configuration: HTTPClientConfiguration) -> CURLcode {
    var options = EasyOptions(easy)
    guard openFiles() else { return CURLE_FAILED_INIT }
    if let stall = request.stallTimeout { options.setStall(stall) }
    options.set(CURLOPT_ERRORBUFFER, pointer: detail)
    options.set(CURLOPT_URL, request.url)
    options.setConnection(configuration, timeout: request.timeout)
    options.setRedirects(request)
    if request.acceptsGzip { options.set(CURLOPT_ACCEPT_ENCODING, "gzip") }
    setHeaders(&options)
    setBody(&options)
    let context = Unmanaged.passUnretained(self).toOpaque()
    options.set(CURLOPT_WRITEDATA, pointer: context)
    options.set(CURLOPT_WRITEFUNCTION, bytes: Self.takeBody)
    options.set(CURLOPT_HEADERDATA, pointer: context)
    options.set(CURLOPT_HEADERFUNCTION, bytes: Self.takeHeader)
    return options.result
  }

  /// The method, and the body with its length.
  ///
  /// libcurl copies a small body and sends it with the head in one piece; of a large one it takes a part at a time.
  private func setBody(_ options: inout EasyOptions) {
    let hasBody = bodyByteCount > 0 || Self.methodsWithBody.contains(request.method)
    if request.method == .head {
      options.set(CURLOPT_NOBODY, 1)
    } else if request.method != (hasBody ? .post : .get) {
      options.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
    guard hasBody else { return }
    options.set(CURLOPT_POST, 1)
    options.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: bodyByteCount)
    if source == nil, request.body.count <= Self.copiedBytesMax {
      options.copyBody(request.body)
      return
    }
    let context = Unmanaged.passUnretained(self).toOpaque()
    options.set(CURLOPT_READDATA, pointer: context)
    options.set(CURLOPT_READFUNCTION, bytes: Self.giveBody)
    options.set(CURLOPT_SEEKDATA, pointer: context)
    options.setSeek(Self.rewindBody)
  }

  private static let methodsWithBody: Set<HTTPClientRequest.Method> = [.post, .put, .patch]
  /// Bodies up to this size go with the head: libcurl does so up to 64 KB.
  private static let copiedBytesMax = 32 << 10
  /// About how many bytes of a refusal are read, whatever a success may have: no code needs more words.
  private static let refusalBytesMax = 1 << 20

  private func setHeaders(_ options: inout EasyOptions) {
    // libcurl's own ideas of these two do not fit: a body's type is the caller's affair, and waiting for leave to
    // send a body costs a round trip.
    var texts = ["Expect:"]
    if request.headers["Content-Type"] == nil { texts.append("Content-Type:") }
    // A header without value is spelled with a semicolon here: with a colon it would be left out.
    texts += request.headers.fields.map {
      $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)"
    }
    for text in texts {
      guard let longer = curl_slist_append(lines, text) else { return options.fail() }
      lines = longer
    }
    options.set(CURLOPT_HTTPHEADER, list: lines)
  }
}

// What libcurl calls, on the loop's thread, with the transfer as context.
extension Transfer {
  private static func at(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let takeBody: contrail_curl_bytes = { bytes, size, count, context in
    guard let transfer = at(context), let bytes else { return 0 }
    // Any other number than that of the bytes ends the transfer.
    return transfer.take(UnsafeRawBufferPointer(start: bytes, count: size &* count))
  }

  private static let takeHeader: contrail_curl_bytes = { bytes, size, count, context in
    guard let transfer = at(context), let bytes else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size &* count)
    transfer.head.take(line)
    return line.count
  }

  private static let giveBody: contrail_curl_bytes = { bytes, size, count, context in
    guard let transfer = at(context), let bytes else { return 0 }
    return transfer.give(UnsafeMutableRawBufferPointer(start: bytes, count: size &* count))
  }

  private static let rewindBody: contrail_curl_seek = { context, offset, origin in
    guard let transfer = at(context), origin == SEEK_SET, offset >= 0,
      offset <= Int64(transfer.bodyByteCount)
    else { return CURL_SEEKFUNC_CANTSEEK }
    transfer.bodyOffset = Int(offset)
    return CURL_SEEKFUNC_OK
  }

  private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    if let sink, 200..<300 ~= head.status { return write(bytes, to: sink) }
    let isRefusal = !(200..<300 ~= head.status)
    if isRefusal && bytes.count > Self.refusalBytesMax - body.count {
      isCut = true
      return 0
    }
    guard isRefusal || bytes.count <= request.responseBytesMax - body.count else {
      isTooLarge = true
      return 0
    }
    if body.isEmpty {
      body.reserveCapacity(min(head.bodyBytesExpected, max(0, request.responseBytesMax)))
    }
    body.append(contentsOf: bytes)
    return bytes.count
  }

  private func give(_ space: UnsafeMutableRawBufferPointer) -> Int {
    if let source { return read(source, into: space) }
    let count = min(space.count, request.body.count - bodyOffset)
    request.body.withUnsafeBytes { all in
      space.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[bodyOffset..<bodyOffset + count]))
    }
    bodyOffset += count
    return count
  }
}
