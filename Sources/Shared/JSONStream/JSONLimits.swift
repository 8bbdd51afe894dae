/// How much of a JSON text is accepted.
///
/// Every limit has its name here, and nothing else limits.
public struct JSONLimits: Hashable, Sendable {
  /// The deepest nesting that any limits allow: walking a text may take one call per level, and the
  /// stack must hold them all.
  public static let depthCeiling = 512

  /// How many objects and arrays may be open at once; at most `depthCeiling`.
  public var depthMax: Int
  /// The longest text.
  public var textBytesMax: Int
  /// The longest string or key, measured between its quotes as the text spells it.
  public var stringBytesMax: Int
  /// The longest number, measured as the text spells it.
  public var numberBytesMax: Int

  /// Makes limits; what is left out is as in `standard`.
  public init(
    depthMax: Int = 128,
    textBytesMax: Int = 256 << 20,
    stringBytesMax: Int = 64 << 20,
    numberBytesMax: Int = 1_024
  ) {
    self.depthMax = min(depthMax, Self.depthCeiling)
    self.textBytesMax = textBytesMax
    self.stringBytesMax = stringBytesMax
    self.numberBytesMax = numberBytesMax
  }

  /// Limits for what a trusted or a paging peer sends.
  public static let standard = JSONLimits()
}
