/// A parsed call of one command, and where its output goes.
package struct Invocation: Sendable {
  /// What was given by position.
  package let arguments: [String]
  /// The values of each option that was given; a flag has none.
  package let options: [String: [String]]
  /// Where output goes.
  package let console: Console

  package init(arguments: [String], options: [String: [String]], console: Console) {
    self.arguments = arguments
    self.options = options
    self.console = console
  }

  /// Whether the flag was given.
  package func has(_ flag: String) -> Bool { options[flag] != nil }

  /// The option's value; the last one where it was given twice.
  package func value(_ option: String) -> String? { options[option]?.last }

  /// All values of the option.
  package func values(_ option: String) -> [String] { options[option] ?? [] }
}

/// A call that the tool cannot make sense of: what is wrong, and what to type instead.
package struct UsageError: Error, Hashable, Sendable {
  package let message: String
  package let fix: String

  package init(_ message: String, fix: String) {
    self.message = message
    self.fix = fix
  }
}

extension Command {
  /// Reads `words`, which follow the command's own words.
  ///
  /// An option takes its value as `--name value` or `--name=value`; `--` ends the options; `-` is an
  /// argument.
  func parse(
    _ words: [String], tool: String, console: Console
  ) throws(UsageError) -> Invocation {
    let help = "see \(tool) \(name) --help"
    var reader = WordReader(words: words[...], command: self, help: help)
    try reader.readAll()
    try check(reader.arguments, help: help)
    return Invocation(arguments: reader.arguments, options: reader.options, console: console)
  }

  private func check(_ given: [String], help: String) throws(UsageError) {
    let least = arguments.filter { $0.count == .one || $0.count == .oneOrMore }.count
    if given.count < least {
      let missing = arguments.filter { $0.count == .one || $0.count == .oneOrMore }[given.count]
      throw UsageError("\(name) needs \(missing.name): \(missing.help)", fix: help)
    }
    if !arguments.contains(where: { $0.count == .oneOrMore || $0.count == .any }),
      given.count > arguments.count
    {
      throw UsageError(
        "\(name) does not know what to do with \"\(given[arguments.count])\"", fix: help)
    }
  }
}

extension Command.Option {
  /// Whether the word may be a value, rather than the next option.
  fileprivate func takes(_ word: String) -> Bool {
    word == "-" || !word.hasPrefix(mayBeginWithDash ? "--" : "-")
  }
}

private struct WordReader {
  var words: ArraySlice<String>
  let command: Command
  let help: String
  var arguments: [String] = []
  var options: [String: [String]] = [:]

  mutating func readAll() throws(UsageError) {
    while let word = words.popFirst() {
      if word == "--" {
        arguments += words
        return
      }
      if word.hasPrefix("-"), word != "-" {
        try readOption(word)
      } else {
        arguments.append(word)
      }
    }
  }

  private mutating func readOption(_ word: String) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0].drop { $0 == "-" })
    guard word.hasPrefix("--"), let option = command.options.first(where: { $0.name == name })
    else { throw unknownOption(String(parts[0]), name) }
    guard let valueName = option.value else {
      if parts.count > 1 {
        throw UsageError("--\(name) takes no value", fix: "leave out \"=\(parts[1])\"")
      }
      options[name] = []
      return
    }
    var values = parts.count > 1 ? [String(parts[1])] : []
    if parts.count == 1 { values = takeValues(option) }
    guard let first = values.first, !first.isEmpty else {
      throw UsageError("--\(name) needs a value", fix: "write --\(name) \(valueName)")
    }
    for value in values where !option.choices.isEmpty && !option.choices.contains(value) {
      throw UsageError(
        "--\(name) cannot be \"\(value)\"", fix: "one of \(option.choices.joined(separator: ", "))")
    }
    options[name, default: []] += values
  }

  private mutating func takeValues(_ option: Command.Option) -> [String] {
    var taken: [String] = []
    while let next = words.first, option.takes(next) {
      taken.append(next)
      words.removeFirst()
      if !option.takesMany { break }
    }
    return taken
  }

  private func unknownOption(_ word: String, _ name: String) -> UsageError {
    let nearest = nearestName(to: name, among: command.options.map(\.name))
    return UsageError(
      "\(command.name) has no option \(word)",
      fix: nearest.map { "did you mean --\($0)?" } ?? help)
  }
}

/// The name that differs least from `word`, when it differs by no more than a third of its letters.
package func nearestName(to word: String, among names: [String]) -> String? {
  let ranked = names.map { (name: $0, distance: editDistance(word, $0)) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
  return best.distance * 3 <= max(word.count, best.name.count) ? best.name : nil
}

/// How many letters must be added, removed or replaced to turn one word into the other.
private func editDistance(_ one: String, _ other: String) -> Int {
  let (first, second) = (Array(one.lowercased()), Array(other.lowercased()))
  var row = Array(0...second.count)
  for (i, letter) in first.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, candidate) in second.enumerated() {
      let replaced = diagonal + (letter == candidate ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replaced, min(row[j], row[j + 1]) + 1)
    }
  }
  return row[second.count]
}
