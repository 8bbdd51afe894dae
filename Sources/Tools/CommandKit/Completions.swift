extension Tool {
  /// A script that completes commands and options for the shell called `shell`.
  func completions(for shell: String?) throws(UsageError) -> String {
    guard let shell, let script = Self.shells[shell] else {
      throw UsageError(
        "completions needs a shell", fix: "\(name) completions bash, or zsh, or fish")
    }
    return script(self)
  }

  private static let shellNames = ["bash", "zsh", "fish"]

  private static let shells: [String: @Sendable (Tool) -> String] = [
    "bash": bashCompletions, "zsh": zshCompletions, "fish": fishCompletions,
  ]

  /// The words that may follow what was typed, one line per beginning: `schema|show diff …`.
  private var continuations: [(typed: String, words: [String])] {
    var table: [(String, [String])] = [
      ("", ordered(commands.map { $0.path[0] }) + ["completions", "--help", "--version"]),
      ("completions", Self.shellNames),
    ]
    for group in groups { table.append((group, verbs(of: group) + ["--help"])) }
    for command in commands {
      table.append((command.name, command.options.map { "--\($0.name)" } + ["--help"]))
    }
    return table
  }

  /// The values that may follow an option: `lint --format` and `text json …`.
  private var choices: [(typed: String, words: [String])] {
    commands.flatMap { command in
      command.options.filter { !$0.choices.isEmpty }
        .map { ("\(command.name) --\($0.name)", $0.choices) }
    }
  }

  /// The words that several commands begin with.
  private var groups: [String] {
    ordered(commands.filter { $0.path.count > 1 }.map { $0.path[0] })
  }

  private func verbs(of group: String) -> [String] {
    commands.filter { $0.path.count > 1 && $0.path[0] == group }.map { $0.path[1] }
  }

  private func ordered(_ words: [String]) -> [String] {
    var seen: Set<String> = []
    return words.filter { seen.insert($0).inserted }
  }

  // NB: zsh reads this too, so that it reads lines with `read`: zsh has no `mapfile`.
  @Sendable private static func bashCompletions(_ tool: Tool) -> String {
    let beginnings = tool.continuations.map(\.typed).filter { !$0.isEmpty }
    return """
      # \(tool.name) completions for bash: source <(\(tool.name) completions bash)
      _\(tool.name)() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
        local typed="" words="" choices="" word
        # The shell splits --option=value in three.
        if [[ "$current" == "=" ]]; then current=""
        elif [[ "$previous" == "=" ]]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case "${typed:+$typed }$word" in
            \(beginnings.map { "\"\($0)\"" }.joined(separator: "|"))) typed="${typed:+$typed }$word" ;;
            *) break ;;
          esac
        done
        case "$typed" in
      \(cases(tool.continuations, setting: "words"))  esac
        case "$typed $previous" in
      \(cases(tool.choices, setting: "choices"))  esac
        COMPREPLY=()
        while IFS= read -r word; do
          if [[ -n "$word" ]]; then COMPREPLY+=("$word"); fi
        done <<< "$(
          if [[ -n "$choices" ]]; then compgen -W "$choices" -- "$current"
          else compgen -W "$words" -- "$current"; compgen -f -- "$current"; fi
        )"
      }
      complete -o filenames -F _\(tool.name) \(tool.name)

      """
  }

  private static func cases(
    _ rows: [(typed: String, words: [String])], setting variable: String
  ) -> String {
    rows.map { "    \"\($0.typed)\") \(variable)=\"\($0.words.joined(separator: " "))\" ;;\n" }
      .joined()
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
    let first = "__fish_use_subcommand"
    var lines = ["# \(tool.name) completions for fish: \(tool.name) completions fish | source"]
    lines += tool.groups.map { group in
      let verbs = tool.verbs(of: group).joined(separator: ", ")
      return tool.fishLine(first, "-a \(group)", verbs)
    }
    for command in tool.commands {
      let condition = command.path.count > 1 ? tool.fishCondition(verbsOf: command.path[0]) : first
      lines.append(tool.fishLine(condition, "-a \(command.path.last ?? "")", command.summary))
      lines += command.options.map { tool.fishLine($0, of: command) }
    }
    lines.append(tool.fishLine(first, "-a completions", completionsSummary))
    lines.append(
      tool.fishLine(
        "__fish_seen_subcommand_from completions",
        "-x -a '\(shellNames.joined(separator: " "))'", "the shell"))
    return lines.map { $0 + "\n" }.joined()
  }

  /// That the group was typed, and none of its verbs yet.
  private func fishCondition(verbsOf group: String) -> String {
    let verbs = verbs(of: group).joined(separator: " ")
    return "__fish_seen_subcommand_from \(group); and not __fish_seen_subcommand_from \(verbs)"
  }

  private func fishLine(_ option: Command.Option, of command: Command) -> String {
    var seen = command.path.map { "__fish_seen_subcommand_from \($0)" }
    if command.path.count == 1 {
      // `show` and `schema show` are two commands.
      seen += groups.filter { verbs(of: $0).contains(command.name) }
        .map { "not __fish_seen_subcommand_from \($0)" }
    }
    var words = "-l \(option.name)"
    if !option.choices.isEmpty {
      words += " -x -a '\(option.choices.joined(separator: " "))'"
    } else if option.value != nil {
      words += " -r"
    }
    return fishLine(seen.joined(separator: "; and "), words, option.help)
  }

  private func fishLine(_ condition: String, _ words: String, _ help: String) -> String {
    "complete -c \(name) -n '\(condition)' \(words) -d '\(help.replacing("'", with: "\\'"))'"
  }
}
