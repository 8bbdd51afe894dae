import CommandKit
import JSONStream

/// The settings that hold, each with where it comes from: a flag goes before the environment, that
/// before the file, that before what goes without saying.
struct Settings: Sendable {
  /// Where a value comes from.
  enum Source: String, Sendable { case flag, environment, file, standard }

  /// A value, and where it comes from.
  struct Entry: Sendable {
    var values: [String]
    var source: Source
  }

  private(set) var entries: [String: Entry] = [:]

  /// Puts together what a call, the environment and the file that they name say.
  init(
    _ call: Invocation, environment: [String: String], read: (String) throws -> [UInt8]
  ) throws {
    let path = call.value("config") ?? environment["RECORDD_CONFIG"]
    let file = try path.map { try SettingsFile($0, bytes: try read($0)).values } ?? [:]
    for setting in Setting.rows {
      guard let entry = Self.entry(setting, call, environment, file) else { continue }
      try setting.check(entry)
      entries[setting.name] = entry
    }
  }

  private static func entry(
    _ setting: Setting, _ call: Invocation, _ environment: [String: String],
    _ file: [String: [String]]
  ) -> Entry? {
    if call.has(setting.name) {
      let given = call.values(setting.name)
      return Entry(values: given.isEmpty ? ["true"] : given, source: .flag)
    }
    if let text = environment[setting.variable], !text.isEmpty {
      return Entry(values: setting.values(of: text), source: .environment)
    }
    if let values = file[setting.name] { return Entry(values: values, source: .file) }
    return setting.standard.map { Entry(values: setting.values(of: $0), source: .standard) }
  }

  /// The value of a setting; nil where it has none.
  func text(_ name: String) -> String? { entries[name]?.values.last }
  /// All values of a setting that may have several.
  func list(_ name: String) -> [String] { entries[name]?.values ?? [] }
  /// Whether a flag is set.
  func flag(_ name: String) -> Bool { text(name) == "true" }
  /// A number, which was checked before.
  func number(_ name: String) -> Int? { text(name).flatMap { Int($0) } }
  /// Where the value comes from.
  func source(_ name: String) -> Source? { entries[name]?.source }
}

extension Setting {
  /// The values in a text of the environment: a list is separated by commas.
  fileprivate func values(of text: String) -> [String] {
    guard case .list = kind else { return [text] }
    return text.split(separator: ",").map(String.init)
  }

  fileprivate func check(_ entry: Settings.Entry) throws(UsageError) {
    for value in entry.values {
      guard let wanted = problem(value) else { continue }
      throw UsageError(
        "\(place(entry.source)) cannot be \"\(value)\"", fix: "give it \(wanted)")
    }
  }

  /// What the value should have been; nil when it is right.
  private func problem(_ value: String) -> String? {
    switch kind {
    case .text, .list: return value.isEmpty ? "a value" : nil
    case .flag: return value == "true" || value == "false" ? nil : "true or false"
    case .number(let range):
      guard let number = Int(value), range.contains(number) else {
        return "a number from \(range.lowerBound) to \(range.upperBound)"
      }
      return nil
    case .choice(let choices):
      return choices.contains(value) ? nil : "one of \(choices.joined(separator: ", "))"
    }
  }

  private func place(_ source: Settings.Source) -> String {
    switch source {
    case .flag, .standard: "--\(name)"
    case .environment: variable
    case .file: "\"\(name)\" in the configuration file"
    }
  }

  /// The setting as an option of a command.
  var option: Command.Option {
    let told = standard.map { "\(help) (\($0))" } ?? help
    switch kind {
    case .flag: return .flag(name, help)
    case .list: return .values(name, value ?? "VALUE", told)
    case .choice(let choices): return .value(name, value ?? "VALUE", choices: choices, told)
    case .text, .number: return .value(name, value ?? "VALUE", told)
    }
  }
}

/// The configuration file: a JSON object whose keys are the names of settings.
struct SettingsFile {
  var values: [String: [String]] = [:]

  init(_ path: String, bytes: [UInt8]) throws(UsageError) {
    do {
      let json = try JSONValue(reading: bytes)
      guard case .object(let members) = json.content else {
        throw UsageError("\(path) is no JSON object", fix: "begin it with {")
      }
      for member in members {
        guard let setting = Setting.named(member.key) else {
          let nearest = nearestName(to: member.key, among: Setting.rows.map(\.name))
          throw UsageError(
            "\(path): there is no setting \"\(member.key)\"",
            fix: nearest.map { "did you mean \"\($0)\"?" } ?? "see recordd config --show")
        }
        values[setting.name] = try Self.values(member.value, setting, path)
      }
    } catch let error as UsageError {
      throw error
    } catch {
      throw UsageError("\(path): \(error)", fix: "correct the file")
    }
  }

  private static func values(
    _ value: JSONValue, _ setting: Setting, _ path: String
  ) throws(UsageError) -> [String] {
    switch value.content {
    case .string(let text): return [text]
    case .number(.integer(let number)): return [String(number)]
    case .boolean(let flag): return [flag ? "true" : "false"]
    case .array(let elements):
      var texts: [String] = []
      for element in elements { texts += try values(element, setting, path) }
      return texts
    default:
      throw UsageError(
        "\(path): \"\(setting.name)\" has a value of no use",
        fix: "give it a text, a number, true, false or a list")
    }
  }
}
