import ChildPrograms
import Foundation

/// A file with commands, what they print, how they end, and the files that they read.
///
/// ```
/// # What this shows.
/// $ syncctl schema hash old.json
/// …what it prints, standard error included…
/// [exit 2]
///
/// -- old.json --
/// {…}
/// ```
///
/// The line `[exit N]` stands only where N is not 0.
struct Transcript {
  var steps: [Step] = []
  var files: [(path: String, text: String)] = []

  /// A command with the comments before it and the output after it.
  struct Step {
    var comments: [String]
    var command: String
    var output: String
  }

  init(_ text: String) {
    var comments: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("-- "), line.hasSuffix(" --") {
        files.append((String(line.dropFirst(3).dropLast(3)), ""))
      } else if !files.isEmpty {
        files[files.count - 1].text += line + "\n"
      } else if line.hasPrefix("$ ") {
        steps.append(Step(comments: comments, command: String(line.dropFirst(2)), output: ""))
        comments = []
      } else if line.hasPrefix("#"), "\n\(steps.last?.output ?? "\n")".hasSuffix("\n\n") {
        comments.append(line)
      } else if !steps.isEmpty, comments.isEmpty {
        steps[steps.count - 1].output += line + "\n"
      }
    }
    for index in steps.indices { steps[index].output = Self.trimmed(steps[index].output) }
    for index in files.indices { files[index].text = Self.trimmed(files[index].text) }
  }

  var text: String {
    let calls = steps.map { step in
      (step.comments + ["$ \(step.command)"]).map { $0 + "\n" }.joined() + step.output
    }
    let contents = files.map { "-- \($0.path) --\n\($0.text)" }
    return (calls + contents).joined(separator: "\n")
  }

  /// Without blank lines at the end, but with a line break where there is text.
  private static func trimmed(_ text: String) -> String {
    let kept = text.reversed().drop { $0 == "\n" }.reversed()
    return kept.isEmpty ? "" : String(kept) + "\n"
  }
}

extension Transcript {
  /// The same transcript with what the commands print now, run in a folder of its own.
  func rerun(in folder: URL, tools: URL) throws -> Transcript {
    for file in files {
      let url = folder.appending(path: file.path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.text.utf8).write(to: url)
    }
    var copy = self
    for index in steps.indices {
      copy.steps[index].output = try run(steps[index].command, in: folder, tools: tools)
    }
    return copy
  }

  private func run(_ command: String, in folder: URL, tools: URL) throws -> String {
    var environment = ["PATH": "\(tools.path):/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    // A tool that was built with a sanitizer has to hear what the suite was told about it.
    for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] {
      environment[name] = ProcessInfo.processInfo.environment[name]
    }
    let run = try ChildProgram.run(
      ["/bin/sh", "-c", command], in: folder.path, environment: environment)
    let text = Self.trimmed(run.text)
    return switch run.end {
    case .code(0): text
    case .code(let code): "\(text)[exit \(code)]\n"
    case .signal(let signal): "\(text)[signal \(signal)]\n"
    }
  }
}
