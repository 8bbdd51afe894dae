import SchemaFormats

/// The format of XML stores, which people may read and programs of theirs too.
///
/// ```xml
/// <contrail-store format="1" tables="1">
///   <table name="contrail_change">
///     <change number="1" kind="1" entity="2" key="1" count="3"/>
///   </table>
///   <objects>
///     <object entity="Entry" id="3" version="1">
///       <value name="tail" type="string">N628TS</value>
///       <reference name="pilot" entity="Pilot" id="1"/>
///     </object>
///   </objects>
///   <pairs table="Entry_tags">
///     <pair source="3" target="1"/>
///   </pairs>
/// </contrail-store>
/// ```
///
/// The store's own tables come first, a row in an element that is named like its table: columns are
/// attributes; what an attribute cannot say is a `value` inside. What is absent is null.
enum XMLStoreFormat {
  /// The root element.
  static let root = "contrail-store"
  /// The format that is written; a file with a higher one is refused.
  static let version = 1
  /// How much is read, and so how much may be written.
  static let limits = XMLLimits(
    bytesMax: 512 << 20, depthMax: 8, elementsMax: 20_000_000, attributesPerElementMax: 2000)

  /// What a row of a table of the store is called: "change" for "contrail_change".
  static func rowName(_ table: String) -> String {
    let name = String(table.dropFirst(StoreImage.ownPrefix.count))
    return isName(name) ? name : "row"
  }

  /// Whether `text` can be the name of an element or attribute in any XML: ASCII alone.
  static func isName(_ text: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy {
      isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
  }
}

/// Text that XML has no characters for, with `\` before what is meant otherwise: `\u{0}`, `\\`.
enum EscapedText {
  /// Whether `text` holds a character that no XML file may hold, as itself or as a reference.
  static func isNeeded(_ text: String) -> Bool {
    text.unicodeScalars.contains { !isAllowed($0) }
  }

  /// Whether XML has the character: https://www.w3.org/TR/xml/#charsets .
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0a, 0x0d, 0x20...0xfffd, 0x1_0000...: true
    default: false
    }
  }

  /// `text` in characters that XML has.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "\\" {
        result += "\\\\"
      } else if isAllowed(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return result
  }

  /// What was escaped; nil for what `escaped` does not make.
  static func text(_ escaped: String) -> String? {
    var result = String.UnicodeScalarView()
    var rest = escaped.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "\\": result.append("\\")
      case "u":
        guard rest.popFirst() == "{", let end = rest.firstIndex(of: "}"),
          let value = UInt32(String(rest[..<end]), radix: 16),
          let meant = Unicode.Scalar(value)
        else { return nil }
        result.append(meant)
        rest = rest[rest.index(after: end)...]
      default: return nil
      }
    }
    return String(result)
  }
}
