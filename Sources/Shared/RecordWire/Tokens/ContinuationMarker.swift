/// A place in the result of a query, as text that clients do not look into.
public struct ContinuationMarker: Hashable, Sendable {
  /// Which history the place is in.
  public var epoch: UInt64
  /// A hash of the query: a marker belongs to the query that it came with.
  public var query: UInt64
  /// Where to go on, in the server's own terms.
  public var position: [UInt8]

  /// Makes a marker.
  public init(epoch: UInt64, query: UInt64, position: [UInt8]) {
    self.epoch = epoch
    self.query = query
    self.position = position
  }

  /// Reads a marker that `text` spelled; throws for texts that it never did.
  public init(text: String) throws(WireError) {
    var reader = try TokenBytes.Reader(text, noun: "query continuation", kinds: [.query])
    epoch = try reader.number()
    query = try reader.number()
    position = try reader.part()
    try reader.end()
  }

  /// The marker as URL-safe base64.
  public var text: String {
    var bytes = TokenBytes(kind: .query)
    bytes.append(epoch)
    bytes.append(query)
    bytes.append(position)
    return bytes.text
  }
}
