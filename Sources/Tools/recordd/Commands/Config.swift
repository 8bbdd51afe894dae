import CommandKit
import JSONStream

let configCommand = Command(
  "config",
  summary: "Show the settings that hold, and where each comes from.",
  discussion: """
    A flag goes before the environment (RECORDD_…), that before the file of --config, that before what
    goes without saying. Every setting is an option of recordd serve.
    """,
  options: [.config, .json, .flag("show", "print them")] + Setting.rows.map(\.option),
  examples: [
    .init("recordd config --show", "what would recordd serve do?"),
    .init("recordd config --show --json --config recordd.json", "the same for a program"),
  ],
  exits: [.done, .unusable],
  run: { call in
    let settings = try Settings(call)
    if call.has("json") {
      let members = Setting.rows.map { setting in
        JSONMember(setting.name, settings.json(setting))
      }
      call.console.write(
        String(decoding: try JSONValue(.object(members)).bytes(.pretty), as: UTF8.self))
      return .ok
    }
    try Listing(
      keys: ["setting", "value", "from"],
      rows: Setting.rows.map { setting in
        [
          setting.name, settings.shown(setting),
          settings.source(setting.name).map(\.words) ?? "-",
        ]
      }
    ).print(call)
    return .ok
  })

extension Settings {
  /// The value as people read it; a secret is only said to be there.
  fileprivate func shown(_ setting: Setting) -> String {
    let values = list(setting.name)
    if values.isEmpty { return "-" }
    return setting.name.hasSuffix("-token") ? "set" : values.joined(separator: ", ")
  }

  fileprivate func json(_ setting: Setting) -> JSONValue {
    let values = list(setting.name).map { value in setting.json(value) }
    guard !values.isEmpty else { return JSONValue(.null) }
    let value: JSONValue
    if case .list = setting.kind { value = JSONValue(.array(values)) } else { value = values[0] }
    return JSONValue(
      .object([
        JSONMember("value", value),
        JSONMember(
          "from", JSONValue(.string(source(setting.name)?.rawValue ?? Source.standard.rawValue))),
      ]))
  }
}

extension Setting {
  /// A value as programs read it.
  fileprivate func json(_ value: String) -> JSONValue {
    if name.hasSuffix("-token") { return JSONValue(.string("set")) }
    switch kind {
    case .flag: return JSONValue(.boolean(value == "true"))
    case .number: return JSONValue(Int64(value).map { .number(.integer($0)) } ?? .string(value))
    case .text, .list, .choice: return JSONValue(.string(value))
    }
  }
}

extension Settings.Source {
  fileprivate var words: String { self == .standard ? "default" : rawValue }
}
