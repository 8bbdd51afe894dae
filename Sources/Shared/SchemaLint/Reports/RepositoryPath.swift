import SchemaFormats

/// A file as forges want it: relative to the repository's root, without `.` and `..`.
package struct RepositoryPath: Hashable, Sendable {
  /// The path; absolute when the file lies outside the repository.
  package let path: String

  package init(_ file: String, options: ReportOptions) {
    guard let directory = options.workingDirectory ?? options.repositoryRoot else {
      path = Self.joined(Self.components(file), isAbsolute: file.hasPrefix("/"))
      return
    }
    let whole = Self.components(file.hasPrefix("/") ? file : "\(directory)/\(file)")
    let root = Self.components(options.repositoryRoot ?? directory)
    let isInside = whole.count > root.count && whole.starts(with: root)
    path = Self.joined(isInside ? Array(whole.dropFirst(root.count)) : whole, isAbsolute: !isInside)
  }

  /// The path as a URI reference, whatever characters it has.
  ///
  /// Only letters, digits and `-._~` stay as they are (RFC 3986, section 2.3), so that neither a
  /// colon in the first component nor a space in a package's name can be misread.
  package var uri: String {
    let encoded = path.utf8.map { byte in
      Self.plain.contains(byte) ? String(UnicodeScalar(byte)) : Self.percentEncoded(byte)
    }.joined()
    return path.hasPrefix("/") ? "file://\(encoded)" : encoded
  }

  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)

  private static func percentEncoded(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "%" + (digits.count == 1 ? "0" : "") + digits
  }

  private static func components(_ path: String) -> [String] {
    var components: [String] = []
    for component in path.split(separator: "/") where component != "." {
      if component == "..", let last = components.last, last != ".." {
        components.removeLast()
      } else if component != ".." || !path.hasPrefix("/") {
        components.append(String(component))
      }
    }
    return components
  }

  private static func joined(_ components: [String], isAbsolute: Bool) -> String {
    (isAbsolute ? "/" : "") + components.joined(separator: "/")
  }
}

extension ReportOptions {
  /// The column of a place in Unicode scalars, as SARIF's `unicodeCodePoints` counts it; in bytes
  /// when the file's text was not given.
  func scalarColumn(of location: SourceLocation) -> Int {
    let position = location.position
    guard let text = texts[location.file], position.column > 1 else { return position.column }
    guard let starts = lineStarts[location.file], starts.indices.contains(position.line - 1) else {
      return position.column
    }
    let end = position.line < starts.count ? starts[position.line] - 1 : text.count
    let before = text[starts[position.line - 1]..<end].prefix(position.column - 1)
    // Bytes 10xxxxxx continue a scalar.
    return position.column - before.count { $0 & 0b1100_0000 == 0b1000_0000 }
  }
}
