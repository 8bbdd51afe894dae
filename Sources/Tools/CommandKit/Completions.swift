extension Tool {
  /// A script that completes commands and options for the shell called `shell`.
  func completions(for shell: String?) throws(UsageError) -> String {
    guard let shell, let script = Self.shells[shell] else {
      throw UsageError(
        "completions needs a shell", fix: "\(name) completions bash, or zsh, or fish")
    }
    return script(self)
  }

  private static let shells: [String: @Sendable (Tool) -> String] = [
    "bash": bashCompletions, "zsh": zshCompletions, "fish": fishCompletions,
  ]

  /// The words that may follow what was typed, one line per beginning: `schema|show diff …`.
  private var continuations: [(typed: String, words: [String])] {
    var table: [(String, [String])] = [
      ("", ordered(commands.map { $0.path[0] }) + ["completions", "--help", "--version"])
    ]
    for group in ordered(commands.filter { $0.path.count > 1 }.map { $0.path[0] }) {
      table.append((group, commands.filter { $0.path[0] == group }.map { $0.path[1] }))
    }
    for command in commands {
      table.append((command.name, command.options.map { "--\($0.name)" } + ["--help"]))
    }
    return table
  }

  private func ordered(_ words: [String]) -> [String] {
    var seen: Set<String> = []
    return words.filter { seen.insert($0).inserted }
  }

  @Sendable private static func bashCompletions(_ tool: Tool) -> String {
    let cases = tool.continuations.map { row in
      "    \"\(row.typed)\") words=\"\(row.words.joined(separator: " "))\" ;;\n"
    }.joined()
    return """
      # \(tool.name) completions for bash: source <(\(tool.name) completions bash)
      _\(tool.name)() {
        local current="${COMP_WORDS[COMP_CWORD]}" typed="" words="" word
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case "$word" in -*|*/*|*.*) break ;; esac
          typed="${typed:+$typed }$word"
        done
        case "$typed" in
      \(cases)  esac
        COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
      }
      complete -o filenames -F _\(tool.name) \(tool.name)

      """
  }

  /// zsh reads bash's scripts through its own bridge.
  @Sendable private static func zshCompletions(_ tool: Tool) -> String {
    """
    # \(tool.name) completions for zsh: source <(\(tool.name) completions zsh)
    autoload -U +X bashcompinit && bashcompinit
    \(bashCompletions(tool))
    """
  }

  @Sendable private static func fishCompletions(_ tool: Tool) -> String {
    var text = "# \(tool.name) completions for fish: \(tool.name) completions fish | source\n"
    for command in tool.commands {
      let seen = command.path.dropLast().map { "__fish_seen_subcommand_from \($0)" }
      let condition = (seen.isEmpty ? ["__fish_use_subcommand"] : seen).joined(separator: "; and ")
      let word = command.path.last ?? ""
      text += "complete -c \(tool.name) -n '\(condition)' -a \(word)"
      text += " -d '\(command.summary.replacing("'", with: "\\'"))'\n"
      for option in command.options {
        text += "complete -c \(tool.name) -n '__fish_seen_subcommand_from \(word)'"
        text += " -l \(option.name)\(option.value == nil ? "" : " -r")"
        text += " -d '\(option.help.replacing("'", with: "\\'"))'\n"
      }
    }
    return text
  }
}
