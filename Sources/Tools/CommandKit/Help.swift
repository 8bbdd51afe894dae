extension Tool {
  /// The help that `words` ask for: of a command, or of the tool.
  func help(for words: [String]) -> String {
    if !words.isEmpty, let command = commands.first(where: { words.starts(with: $0.path) }) {
      return help(of: command)
    }
    var text = "\(summary)\n\nUsage: \(name) COMMAND …\n\nCommands:\n"
    text += Self.table(commands.map { ($0.name, $0.summary) })
    text += "\nMore:\n"
    text += Self.table([
      ("COMMAND --help", "what a command takes, with examples and exit codes"),
      ("completions SHELL", "a script that completes commands for bash, zsh or fish"),
      ("--version", "the version"),
    ])
    return text
  }

  /// All that there is to know of one command.
  func help(of command: Command) -> String {
    let words = [name, command.name] + command.arguments.map(\.usage)
    var text = "\(command.summary)\n\nUsage: \(words.joined(separator: " "))"
    text += command.options.isEmpty ? "\n" : " [options]\n"
    if !command.discussion.isEmpty { text += "\n\(command.discussion)\n" }
    text += Self.section("Arguments", command.arguments.map { ($0.name, $0.help) })
    text += Self.section("Options", command.options.map { ($0.usage, Self.text(of: $0)) })
    text += Self.section(
      "Exit codes", command.exits.map { (String($0.code.rawValue), $0.meaning) })
    text += "\nExamples:\n"
    for example in command.examples { text += "  # \(example.meaning)\n  \(example.call)\n" }
    return text
  }

  private static func text(of option: Command.Option) -> String {
    option.choices.isEmpty
      ? option.help : "\(option.help) (\(option.choices.joined(separator: ", ")))"
  }

  private static func section(_ title: String, _ rows: [(String, String)]) -> String {
    rows.isEmpty ? "" : "\n\(title):\n\(table(rows))"
  }

  private static func table(_ rows: [(left: String, right: String)]) -> String {
    let width = rows.map(\.left.count).max() ?? 0
    return rows.map { row in
      "  \(row.left)\(String(repeating: " ", count: width - row.left.count))  \(row.right)\n"
    }.joined()
  }
}
