/// What clients and handlers say about compressed bodies.
enum ContentCodings {
  /// How a request's body is coded.
  enum RequestCoding: Equatable {
    case plain
    case gzip
    case unknown
  }

  /// Reads the values of a request's `Content-Encoding`.
  static func requestCoding(_ values: [String]) -> RequestCoding {
    let codings = values.flatMap { ASCII.list(ArraySlice($0.utf8)) }
      .filter { !ASCII.equal($0, "identity".utf8) }
    guard let only = codings.first else { return .plain }
    guard codings.count == 1 else { return .unknown }
    return ["gzip", "x-gzip"].contains { ASCII.equal(only, $0.utf8) } ? .gzip : .unknown
  }

  /// Whether the values of `Accept-Encoding` allow gzip (RFC 9110, section 12.5.3): it or `*` with a weight above 0.
  static func acceptsGzip(_ values: [String]) -> Bool {
    var star = false
    for item in values.flatMap({ ASCII.list(ArraySlice($0.utf8)) }) {
      let end = ASCII.place(of: ASCII.semicolon, in: item)
      let name = ASCII.trimmed(item[..<end])
      let parameters = item[end...].split(separator: ASCII.semicolon)
      let isWanted = !parameters.contains { isZeroWeight(ASCII.trimmed($0)) }
      if ASCII.equal(name, "gzip".utf8) || ASCII.equal(name, "x-gzip".utf8) { return isWanted }
      if name.elementsEqual("*".utf8) { star = isWanted }
    }
    return star
  }

  /// `q=0`, `q=0.0` and their kin.
  private static func isZeroWeight(_ parameter: ArraySlice<UInt8>) -> Bool {
    guard ASCII.equal(parameter.prefix(2), "q=".utf8) else { return false }
    return parameter.dropFirst(2).allSatisfy { $0 == 0x30 || $0 == 0x2E }
  }

  /// Whether bodies of this type become smaller: texts do, images and archives do not.
  static func isCompressible(contentType: String?) -> Bool {
    guard let contentType else { return false }
    return contentType.utf8.withContiguousStorageIfAvailable(isCompressible)
      ?? Array(contentType.utf8).withUnsafeBufferPointer(isCompressible)
  }

  private static func isCompressible(_ contentType: UnsafeBufferPointer<UInt8>) -> Bool {
    let end = contentType.firstIndex { $0 == ASCII.semicolon || $0 == ASCII.space }
    let type = UnsafeBufferPointer(rebasing: contentType[..<(end ?? contentType.count)])
    return compressibleTypes.contains { ASCII.equal(type, $0.utf8) }
      || ASCII.equal(type.prefix(5), "text/".utf8)
      || ASCII.equal(type.suffix(5), "+json".utf8) || ASCII.equal(type.suffix(4), "+xml".utf8)
  }

  private static let compressibleTypes = [
    "application/json", "application/javascript", "application/xml", "application/wasm",
  ]
}
