/// The schemas of the two containers: the same types, with other grants.
enum AccessSchema {
  /// Permissions by container, record type and role.
  static let grants: [String: [String: [String: Set<Permission>]]] = [
    "iCloud.one": [
      "Open": ["_world": [.read, .create, .write]],
      "Post": ["_creator": [.write], "_icloud": [.create], "_world": [.read]],
      "Diary": ["_creator": [.read, .write], "_icloud": [.create]],
      "Notice": ["_icloud": [.read], "editor": [.read, .create, .write]],
      "Draft": ["auditor": [.read], "_icloud": [.create], "editor": [.write]],
      "Box": ["_world": [.create], "editor": [.read]],
      "Sealed": [:],
      "Users": ["_creator": [.write], "_world": [.read]],
    ],
    "iCloud.two": [
      "Open": ["_icloud": [.read, .create, .write]],
      "Post": ["_creator": [.read], "editor": [.create, .write], "auditor": [.read]],
      "Diary": ["_creator": [.write], "_world": [.read], "_icloud": [.create]],
      "Notice": ["_world": [.read], "_creator": [.write], "auditor": [.create]],
      "Draft": ["_world": [.create], "_icloud": [.write]],
      "Box": ["_creator": [.read, .write], "_icloud": [.create], "auditor": [.read]],
      "Sealed": ["editor": [.create]],
      "Users": ["_creator": [.write], "_world": [.read]],
    ],
  ]

  /// The types of records that are made by those who may.
  static let types = ["Open", "Post", "Diary", "Notice", "Draft", "Box", "Sealed"]

  /// The body of a request to import a container's schema.
  static func request(of container: String) -> String {
    let text = text(of: container).replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    return #"{"schema":"\#(text)"}"#
  }

  private static func text(of container: String) -> String {
    var text = "DEFINE SCHEMA\nCREATE ROLE editor;\nCREATE ROLE auditor;\n"
    for (type, roles) in (grants[container] ?? [:]).sorted(by: { $0.key < $1.key }) {
      let fields =
        ["\"___recordID\" REFERENCE QUERYABLE", "secret STRING QUERYABLE", "file ASSET"]
        + (type == "Users" ? ["roles LIST<INT64>"] : [])
      let lines = roles.sorted { $0.key < $1.key }.map { role, permissions in
        let words = Permission.allCases.filter(permissions.contains).map(\.rawValue)
        return "GRANT \(words.joined(separator: ", ")) TO \"\(role)\""
      }
      text += "RECORD TYPE \(type) (\((fields + lines).joined(separator: ",\n  ")));\n"
    }
    return text
  }
}
