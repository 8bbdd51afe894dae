extension Tool {
  /// The help that `words` ask for: of a command, of a group of them, or of the tool.
  func help(for words: [String]) throws(UsageError) -> String {
    guard let first = words.first else { return help }
    if let command = command(calledBy: words) { return help(of: command) }
    if words.count == 1, let help = help(ofGroup: first) { return help }
    if first == "completions" { return completionsHelp }
    throw unknownCommand(words)
  }

  /// The help of the commands that begin with the word `group`; nil where none does.
  func help(ofGroup group: String) -> String? {
    let verbs = commands.filter { $0.path.count > 1 && $0.path[0] == group }
    if verbs.isEmpty { return nil }
    var text = "Usage: \(name) \(group) COMMAND …\n\nCommands:\n"
    text += Self.table(verbs.map { ($0.name, $0.summary) })
    text += "\nMore:\n"
    return text + Self.table([("\(group) COMMAND --help", Self.commandHelpSummary)])
  }

  var completionsHelp: String {
    "\(Self.completionsSummary)\n\nUsage: \(name) completions SHELL\n"
      + Self.section("Arguments", [("SHELL", "bash, zsh or fish")])
      + "\nExamples:\n  # complete commands in this bash\n  source <(\(name) completions bash)\n"
  }

  static let completionsSummary = "Print a script that completes commands for a shell."
  private static let commandHelpSummary = "what a command takes, with examples and exit codes"

  private var help: String {
    var text = "\(summary)\n\nUsage: \(name) COMMAND …\n\nCommands:\n"
    text += Self.table(commands.map { ($0.name, $0.summary) })
    text += "\nMore:\n"
    text += Self.table([
      ("COMMAND --help", Self.commandHelpSummary),
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
