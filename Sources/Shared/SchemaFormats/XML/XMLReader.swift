/// Reads XML strictly, with the place of every element and attribute.
///
/// It is our own because FoundationXML tells only where a tag ends, and brings all of Foundation
/// along. It knows no document type definitions: a `<!DOCTYPE>` that merely names one, as property
/// lists have it, is passed over, and nothing is ever fetched.
package enum XMLReader {
  /// The root element of the file whose bytes these are; `file` is what errors call it.
  package static func root(
    of bytes: [UInt8], file: String, limits: XMLLimits = XMLLimits()
  ) throws(SchemaFormatError) -> XMLElement {
    let source = try XMLSource(bytes, file: file, limits: limits)
    var tree = XMLTreeReader(XMLScanner(source), limits: limits)
    return try tree.read()
  }
}
