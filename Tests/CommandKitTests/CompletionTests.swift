import ChildPrograms
import Foundation
import Synchronization
import Testing

@testable import CommandKit

@Suite struct CompletionTests {
  private let tool = Tool(
    name: "tool", version: "1", summary: "A tool.",
    commands: [
      Command(
        "echo", summary: "Prints the call.",
        options: [
          .flag("loud", "loudly"), .value("to", "WHOM", choices: ["you", "me"], "whom to"),
        ],
        examples: [], exits: [], run: { _ in .ok }),
      Command("deep", "verb", summary: "A verb.", examples: [], exits: [], run: { _ in .ok }),
      Command(
        "deep", "other", summary: "It's another.",
        options: [.value("to", "WHOM", choices: ["them"], "whom to")],
        examples: [], exits: [], run: { _ in .ok }),
    ])

  private static let bash = "/bin/bash"

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: bash)),
    arguments: [
      (["e"], ["echo"]), (["d"], ["deep"]), (["comp"], ["completions"]),
      (["completions", ""], ["bash", "zsh", "fish", "a file"]),
      (["deep", "v"], ["verb"]), (["deep", "--h"], ["--help"]), (["echo", "--l"], ["--loud"]),
      (["echo", "--to", ""], ["you", "me"]), (["echo", "x", "--to", "m"], ["me"]),
      (["echo", "--to", "="], ["you", "me"]), (["echo", "--to", "=", "y"], ["you"]),
      (["deep", "other", "--to", ""], ["them"]), (["echo", "a"], ["a file"]),
      (["echo", "a.txt", "--lo"], ["--loud"]),
    ])
  func `bash completes commands, options, choices and files with spaces`(
    _ words: [String], _ expected: [String]
  ) throws {
    #expect(try bashCompletes(words) == expected)
  }

  /// What bash offers for the last of the words, in a folder that holds `a file`.
  private func bashCompletes(_ words: [String]) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "completions-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data().write(to: folder.appending(path: "a file"))
    let call = #"COMP_WORDS=(tool "$@"); COMP_CWORD=$#; _tool; printf '%s\n' "${COMPREPLY[@]}""#
    let script = "\(try tool.completions(for: "bash"))\n\(call)"
    let output = try ChildProgram.run([Self.bash, "-c", script, "bash"] + words, in: folder.path)
    return output.text.split(separator: "\n").map(String.init)
  }

  @Test func `fish offers groups first, then their verbs, then options and choices`() throws {
    let lines = try tool.completions(for: "fish").split(separator: "\n").dropFirst().map(
      String.init)
    let seen = "__fish_seen_subcommand_from"
    #expect(
      lines == [
        "complete -c tool -n '__fish_use_subcommand' -a deep -d 'verb, other'",
        "complete -c tool -n '__fish_use_subcommand' -a echo -d 'Prints the call.'",
        "complete -c tool -n '\(seen) echo' -l loud -d 'loudly'",
        "complete -c tool -n '\(seen) echo' -l to -x -a 'you me' -d 'whom to'",
        "complete -c tool -n '\(seen) deep; and not \(seen) verb other' -a verb -d 'A verb.'",
        #"complete -c tool -n '\#(seen) deep; and not \#(seen) verb other' -a other -d 'It\'s another.'"#,
        "complete -c tool -n '\(seen) deep; and \(seen) other' -l to -x -a 'them' -d 'whom to'",
        "complete -c tool -n '__fish_use_subcommand' -a completions"
          + " -d 'Print a script that completes commands for a shell.'",
        "complete -c tool -n '\(seen) completions' -x -a 'bash zsh fish' -d 'the shell'",
      ])
  }
}
