/// How much of an XML file is read before it is refused.
///
/// The largest schema known has a few hundred kilobytes; these limits stand far above it, and bound
/// what a hostile file can cost.
package struct XMLLimits: Hashable, Sendable {
  /// The most bytes of a file.
  package var bytesMax: Int
  /// The most elements that stand inside one another.
  package var depthMax: Int
  /// The most elements of a file.
  package var elementsMax: Int
  /// The most attributes of one element.
  package var attributesPerElementMax: Int

  package init(
    bytesMax: Int = 16 << 20, depthMax: Int = 64, elementsMax: Int = 500_000,
    attributesPerElementMax: Int = 128
  ) {
    self.bytesMax = bytesMax
    self.depthMax = depthMax
    self.elementsMax = elementsMax
    self.attributesPerElementMax = attributesPerElementMax
  }
}
