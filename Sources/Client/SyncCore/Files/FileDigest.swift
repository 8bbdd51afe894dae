import DataModel
public import RecordWire

/// What tells a file's content from any other here, whatever a server calls it: SHA-256, and the length.
public struct FileDigest: Hashable, Sendable {
  /// How many bytes a digest has.
  public static let byteCount = 32

  /// The digest.
  public let bytes: [UInt8]
  /// How many bytes the file has.
  public let size: Int64

  /// Takes a digest; nil when it does not have its 32 bytes.
  public init?(_ bytes: [UInt8], size: Int64) {
    guard bytes.count == Self.byteCount else { return nil }
    (self.bytes, self.size) = (bytes, size)
  }

  /// The digest of bytes that are all there.
  public init(of bytes: [UInt8]) {
    var maker = Maker()
    maker.update(bytes)
    self = maker.finish()
  }

  fileprivate init(made bytes: [UInt8], size: Int64) { (self.bytes, self.size) = (bytes, size) }

  /// Makes a digest of bytes that come in parts.
  public struct Maker: Sendable {
    private var hasher = SHA256()
    private var size: Int64 = 0

    /// Begins with nothing.
    public init() {}

    /// Takes more bytes.
    public mutating func update(_ bytes: [UInt8]) {
      hasher.update(bytes)
      size += Int64(bytes.count)
    }

    /// The digest of all that was taken.
    public consuming func finish() -> FileDigest {
      let size = size
      return FileDigest(made: hasher.finish(), size: size)
    }
  }
}

extension FileDigest {
  /// What a checksum begins with that is such a digest.
  private static let checksumKind: UInt8 = 1

  /// What servers call the file that make their checksums of the same digest: base64 of a byte for the
  /// kind and the digest.
  public var checksum: String {
    // 33 bytes need no padding, so the two alphabets differ in two digits only.
    let text = Base64Text.urlSafe([Self.checksumKind] + bytes).utf8.map { digit in
      switch digit {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: digit
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The file as a field has it, before any server has called it otherwise.
  public var asset: RecordAsset { RecordAsset(fileChecksum: checksum, size: size) }

  /// Why the file cannot be the one that a record names, as half a sentence about it; nil where it can.
  ///
  /// A checksum of another kind says nothing to us: then the length has to do.
  public func problem(as asset: RecordAsset) -> String? {
    if let expected = asset.size, expected != size {
      return "has \(size) bytes in place of \(expected)"
    }
    guard let text = asset.fileChecksum, let named = Base64Text.bytes(text),
      named.count == Self.byteCount + 1, named.first == Self.checksumKind
    else { return nil }
    return named.dropFirst().elementsEqual(bytes)
      ? nil : "has another checksum than its record says"
  }
}
