import DataModel

/// The free annotations of an entity or property: `<userInfo>` with an `<entry>` each.
struct XCUserInfo {
  private var values: [String: String] = [:]

  /// Reads the annotations that `element` holds.
  static func read(
    _ element: XMLElement, in reading: inout XCReading
  ) throws(SchemaFormatError) -> [String: String] {
    var info = XCUserInfo()
    _ = try reading.fill(&info, from: element, by: rule)
    return info.values
  }

  private static let rule = XCRule<XCUserInfo>(
    attributes: [:],
    children: [
      "entry": .element { (info, element, reading) throws(SchemaFormatError) in
        let key = try reading.required("key", of: element, "an entry of user info")
        var value = ""
        _ = try reading.fill(&value, from: element, by: entryRule)
        if info.values.updateValue(value, forKey: key) != nil {
          reading.note(
            at: element.position, "\"\(key)\" stands here a second time; this entry counts")
        }
      }
    ])

  private static let entryRule = XCRule<String>(attributes: [
    "key": .text(nil) { _, _ in },
    "value": .text(nil) { $0 = $1 },
  ])
}
