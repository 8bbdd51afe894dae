/// A program with verbs: a name, a version, and a table of commands.
package struct Tool: Sendable {
  package let name: String
  package let version: String
  package let summary: String
  package let commands: [Command]

  package init(name: String, version: String, summary: String, commands: [Command]) {
    self.name = name
    self.version = version
    self.summary = summary
    self.commands = commands
  }

  /// Runs the command that `words` call, and says what was wrong when none can be.
  package func run(_ words: [String], console: Console) -> ExitCode {
    do {
      let code = try dispatch(words, console)
      guard let failure = console.failure() else { return code }
      console.writeError("\(name): error: the output cannot be written: \(failure)\n")
    } catch let error as UsageError {
      console.writeError("\(name): error: \(error.message)\n  fix  \(error.fix)\n")
    } catch let error as any LocatedError {
      console.writeError("\(error.report)\n")
      return error.exitCode
    } catch {
      console.writeError("\(name): error: \(error)\n")
    }
    return .unusable
  }

  private func dispatch(_ words: [String], _ console: Console) throws -> ExitCode {
    switch words.first {
    case "--version":
      console.write("\(name) \(version)\n")
      return .ok
    case nil, "--help", "-h", "help":
      console.write(try help(for: Array(words.dropFirst())))
      return .ok
    case "completions" where words.dropFirst().first.map(Self.isHelp) == true:
      console.write(completionsHelp)
      return .ok
    case "completions":
      console.write(try completions(for: words.dropFirst().first))
      return .ok
    default:
      return try runCommand(words, console)
    }
  }

  private func runCommand(_ words: [String], _ console: Console) throws -> ExitCode {
    guard let command = command(calledBy: words) else {
      if words.count > 1, Self.isHelp(words[1]), let help = help(ofGroup: words[0]) {
        console.write(help)
        return .ok
      }
      throw unknownCommand(words)
    }
    let rest = Array(words.dropFirst(command.path.count))
    if rest.prefix(while: { $0 != "--" }).contains(where: Self.isHelp) {
      console.write(help(of: command))
      return .ok
    }
    return try command.run(try command.parse(rest, tool: name, console: console))
  }

  private static func isHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }

  func command(calledBy words: [String]) -> Command? {
    commands.first { words.starts(with: $0.path) }
  }

  func unknownCommand(_ words: [String]) -> UsageError {
    let group = commands.filter { $0.path.count > 1 && $0.path.first == words.first }
    let typed = words.prefix(group.isEmpty ? 1 : 2).joined(separator: " ")
    let verbs = group.map { $0.path[1] }
    if !group.isEmpty, words.count == 1 || words[1].hasPrefix("-") {
      return UsageError(
        "\(words[0]) needs a verb", fix: "one of \(verbs.joined(separator: ", "))")
    }
    let nearest = nearestName(to: typed, among: commands.map(\.name))
    return UsageError(
      "there is no command \"\(typed)\"",
      fix: nearest.map { "did you mean \(name) \($0)?" } ?? "see \(name) --help")
  }
}

/// An error in a file, which says its place the way compilers do, so that editors and CI can link it.
package protocol LocatedError: Error {
  /// Lines of `FILE:LINE:COLUMN: error: …`.
  var report: String { get }
  /// How the tool ends.
  var exitCode: ExitCode { get }
}

extension LocatedError {
  package var exitCode: ExitCode { .unusable }
}
