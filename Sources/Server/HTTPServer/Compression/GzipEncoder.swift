import CZlib

/// Compresses bodies one after another, with one stream whose memory is used again.
final class GzipEncoder {
  private let stream: UnsafeMutablePointer<z_stream>
  private let isReady: Bool

  init(level: Int) {
    // NB: zlib keeps the stream's address, so it must not move.
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    isReady = contrail_gzip_begin(stream, Int32(clamping: min(max(1, level), 9))) == Z_OK
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// The bytes as one gzip stream; nil when that is not smaller, or memory ran out.
  func encode(_ bytes: [UInt8]) -> [UInt8]? {
    guard isReady, bytes.count <= Int(UInt32.max), deflateReset(stream) == Z_OK else { return nil }
    return bytes.withUnsafeBufferPointer { input in
      let output = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = UInt32(buffer.count)
        // Without room for the end, the result is not smaller than the input.
        count =
          deflate(stream, Z_FINISH) == Z_STREAM_END
          ? buffer.count - Int(stream.pointee.avail_out) : 0
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
      }
      return output.isEmpty ? nil : output
    }
  }
}
