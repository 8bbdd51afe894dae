import CZlib

/// Expands bodies that clients sent as gzip.
package enum GzipDecoder {
  /// Room that is added at a time.
  private static let stepBytes = 64 * 1024

  /// The content of one whole gzip stream.
  ///
  /// Bytes after its end are a fault: two readers might see two bodies. Expansion stops at the limit, so that a small
  /// body costs no more memory than a large one.
  package static func decode(_ bytes: [UInt8], expandedBytesMax: Int) throws(RequestFault)
    -> [UInt8]
  {
    guard bytes.count <= Int(UInt32.max) else { throw .bodyTooLarge }
    var stream = z_stream()
    // NB: zlib keeps the stream's address and refuses calls from another; every call is within this closure.
    let result = withUnsafeMutablePointer(to: &stream) { stream in
      bytes.withUnsafeBufferPointer { inflateAll(stream, $0, expandedBytesMax) }
    }
    return try result.get()
  }

  private static func inflateAll(
    _ stream: UnsafeMutablePointer<z_stream>, _ input: UnsafeBufferPointer<UInt8>, _ limit: Int
  ) -> Result<[UInt8], RequestFault> {
    guard contrail_gunzip_begin(stream) == Z_OK else { return .failure(.malformedGzip) }
    defer { inflateEnd(stream) }
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.pointee.avail_in = UInt32(input.count)
    var output: [UInt8] = []
    while true {
      var status = Z_OK
      let piece = [UInt8](unsafeUninitializedCapacity: stepBytes) { buffer, count in
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = UInt32(buffer.count)
        status = inflate(stream, Z_NO_FLUSH)
        count = buffer.count - Int(stream.pointee.avail_out)
      }
      guard piece.count <= max(0, limit) - output.count else { return .failure(.expandedTooLarge) }
      if output.isEmpty { output = piece } else { output += piece }
      if status == Z_STREAM_END {
        return stream.pointee.avail_in == 0 ? .success(output) : .failure(.malformedGzip)
      }
      // Z_BUF_ERROR: the input ended before the stream did.
      guard status == Z_OK, !piece.isEmpty || stream.pointee.avail_in > 0 else {
        return .failure(.malformedGzip)
      }
    }
  }
}
