import Synchronization
import Testing

@testable import CommandKit

/// What a tool wrote while it ran.
private final class Recorder: Sendable {
  private let lines = Mutex("")

  var text: String { lines.withLock { $0 } }

  var console: Console {
    Console(
      write: { text in self.lines.withLock { $0 += text } },
      writeError: { text in self.lines.withLock { $0 += text } }, isColourful: false)
  }
}

@Suite struct ParsingTests {
  /// Prints how it was called.
  private let echo = Command(
    "echo", summary: "Prints the call.", arguments: [.init("FIRST", "the first", count: .one)],
    options: [
      .flag("loud", "loudly"), .value("to", "WHOM", choices: ["you", "me"], "whom to"),
      .values("with", "WHAT", "what with"),
    ], examples: [.init("tool echo a", "an example")], exits: [.init(.ok, "always")],
    run: { call in
      call.console.write(
        "\(call.arguments) \(call.has("loud")) \(call.value("to") ?? "-") \(call.values("with"))\n")
      return .ok
    })
  private let nested = Command(
    "deep", "verb", summary: "A nested verb.", examples: [], exits: [], run: { _ in .findings })

  private func run(_ words: String...) -> (code: ExitCode, text: String) {
    let recorder = Recorder()
    let tool = Tool(name: "tool", version: "1", summary: "A tool.", commands: [echo, nested])
    let code = tool.run(words, console: recorder.console)
    return (code, recorder.text)
  }

  @Test(arguments: [
    (["echo", "a"], #"["a"] false - []"#),
    (["echo", "a", "--loud", "--to", "me"], #"["a"] true me []"#),
    (["echo", "--to=you", "a"], #"["a"] false you []"#),
    (["echo", "a", "--with", "b", "c", "--loud"], #"["a"] true - ["b", "c"]"#),
    (["echo", "a", "--with", "b", "--with=c"], #"["a"] false - ["b", "c"]"#),
    (["echo", "--", "--loud"], #"["--loud"] false - []"#),
    (["echo", "-"], #"["-"] false - []"#),
  ])
  func `options stand anywhere, take their value either way, and end at two dashes`(
    _ words: [String], _ expected: String
  ) {
    let recorder = Recorder()
    let tool = Tool(name: "tool", version: "1", summary: "A tool.", commands: [echo])
    #expect(tool.run(words, console: recorder.console) == .ok)
    #expect(recorder.text == expected + "\n")
  }

  @Test(arguments: [
    (["echo"], "echo needs FIRST: the first", "see tool echo --help"),
    (["echo", "a", "b"], #"echo does not know what to do with "b""#, "see tool echo --help"),
    (["echo", "a", "--lod"], "echo has no option --lod", "did you mean --loud?"),
    (["echo", "a", "--zzz"], "echo has no option --zzz", "see tool echo --help"),
    (["echo", "a", "-l"], "echo has no option -l", "see tool echo --help"),
    (["echo", "a", "--to"], "--to needs a value", "write --to WHOM"),
    (["echo", "a", "--to", "--loud"], "--to needs a value", "write --to WHOM"),
    (["echo", "a", "--to="], "--to needs a value", "write --to WHOM"),
    (["echo", "a", "--to", "all"], #"--to cannot be "all""#, "one of you, me"),
    (["echo", "a", "--loud=yes"], "--loud takes no value", #"leave out "=yes""#),
    (["ecko"], #"there is no command "ecko""#, "did you mean tool echo?"),
    (["zzz"], #"there is no command "zzz""#, "see tool --help"),
    (["deep"], "deep needs a verb", "one of verb"),
    (["deep", "werb"], #"there is no command "deep werb""#, "did you mean tool deep verb?"),
    (["help", "ecko"], #"there is no command "ecko""#, "did you mean tool echo?"),
    (["help", "zzz"], #"there is no command "zzz""#, "see tool --help"),
    (
      ["help", "deep", "werb"], #"there is no command "deep werb""#, "did you mean tool deep verb?"
    ),
    (["completions"], "completions needs a shell", "tool completions bash, or zsh, or fish"),
  ])
  func `a call that makes no sense says what to type instead`(
    _ words: [String], _ message: String, _ fix: String
  ) {
    let recorder = Recorder()
    let tool = Tool(name: "tool", version: "1", summary: "A tool.", commands: [echo, nested])
    #expect(tool.run(words, console: recorder.console) == .unusable)
    #expect(recorder.text == "tool: error: \(message)\n  fix  \(fix)\n")
  }

  @Test func `values may begin with a dash where the option says so`() {
    let sorted = Command(
      "sorted", summary: "Prints the order.",
      options: [.value("by", "NAMES", "the order").takingDashes, .flag("loud", "loudly")],
      examples: [.init("tool sorted --by -a", "an example")], exits: [.init(.ok, "always")],
      run: { call in
        call.console.write("\(call.value("by") ?? "-") \(call.has("loud"))\n")
        return .ok
      })
    let tool = Tool(name: "tool", version: "1", summary: "A tool.", commands: [sorted])
    let calls = [["--by", "-a,b"], ["--by", "-a", "--loud"], ["--by", "--loud"], ["--by"]]
    let recorder = Recorder()
    #expect(
      calls.map { tool.run(["sorted"] + $0, console: recorder.console) }
        == [.ok, .ok, .unusable, .unusable])
    let refusal = "tool: error: --by needs a value\n  fix  write --by NAMES\n"
    #expect(recorder.text == "-a,b false\n-a true\n" + refusal + refusal)
  }

  @Test func `an error chooses how the tool ends`() {
    struct Damage: LocatedError {
      var report: String { "store: damaged" }
      var exitCode: ExitCode { .damaged }
    }
    let broken = Command(
      "broken", summary: "Fails.", examples: [.init("tool broken", "an example")],
      exits: [.init(.damaged, "always")], run: { _ in throw Damage() })
    let tool = Tool(name: "tool", version: "1", summary: "A tool.", commands: [broken])
    let recorder = Recorder()
    #expect(tool.run(["broken"], console: recorder.console) == .damaged)
    #expect(recorder.text == "store: damaged\n")
  }

  @Test func `a command's exit code is the tool's`() {
    #expect(run("deep", "verb").code == .findings)
  }

  @Test func `help shows arguments, options, exit codes and examples`() {
    let expected = """
      Prints the call.

      Usage: tool echo FIRST [options]

      Arguments:
        FIRST  the first

      Options:
        --loud        loudly
        --to WHOM     whom to (you, me)
        --with WHAT…  what with

      Exit codes:
        0  always

      Examples:
        # an example
        tool echo a

      """
    #expect(run("echo", "--help").text == expected)
    #expect(run("echo", "a", "-h").text == expected)
    #expect(run("help", "echo").text == expected)
  }

  @Test(arguments: [["deep", "--help"], ["deep", "-h"], ["help", "deep"]])
  func `help of a group lists its verbs`(_ words: [String]) {
    let recorder = Recorder()
    let tool = Tool(name: "tool", version: "1", summary: "A tool.", commands: [echo, nested])
    #expect(tool.run(words, console: recorder.console) == .ok)
    #expect(
      recorder.text == """
        Usage: tool deep COMMAND …

        Commands:
          deep verb  A nested verb.

        More:
          deep COMMAND --help  what a command takes, with examples and exit codes

        """)
  }

  @Test func `completions have help as well`() {
    #expect(run("completions", "--help").code == .ok)
    #expect(run("completions", "--help").text.contains("source <(tool completions bash)"))
    #expect(run("help", "completions").text == run("completions", "-h").text)
  }

  @Test func `completions know every command and option`() {
    for shell in ["bash", "zsh", "fish"] {
      let script = run("completions", shell).text
      for word in ["echo", "deep", "verb", "loud", "with"] { #expect(script.contains(word)) }
    }
  }
}
