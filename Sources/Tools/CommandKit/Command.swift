/// A verb of a tool: one row in its table, which help, completions and parsing all read.
package struct Command: Sendable {
  /// The words that call it, such as `["schema", "diff"]`.
  package let path: [String]
  /// What it does, in one line.
  package let summary: String
  /// What a reader of its help should know beyond the summary.
  package let discussion: String
  /// What it takes by position.
  package let arguments: [Argument]
  /// What it takes by name.
  package let options: [Option]
  /// Calls to copy.
  package let examples: [Example]
  /// What its exit codes mean.
  package let exits: [ExitMeaning]
  /// Does it.
  package let run: @Sendable (Invocation) throws -> ExitCode

  package init(
    _ path: String..., summary: String, discussion: String = "", arguments: [Argument] = [],
    options: [Option] = [], examples: [Example], exits: [ExitMeaning],
    run: @escaping @Sendable (Invocation) throws -> ExitCode
  ) {
    self.path = path
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments
    self.options = options
    self.examples = examples
    self.exits = exits
    self.run = run
  }

  /// The words that call it, as typed.
  package var name: String { path.joined(separator: " ") }
}

extension Command {
  /// Something that a command takes by position.
  package struct Argument: Sendable {
    /// How often it may stand.
    package enum Count: Sendable { case one, optional, oneOrMore, any }

    package let name: String
    package let help: String
    package let count: Count

    package init(_ name: String, _ help: String, count: Count = .one) {
      self.name = name
      self.help = help
      self.count = count
    }

    /// The argument as the usage line shows it.
    var usage: String {
      switch count {
      case .one: name
      case .optional: "[\(name)]"
      case .oneOrMore: "\(name)…"
      case .any: "[\(name)…]"
      }
    }
  }

  /// Something that a command takes by name.
  package struct Option: Sendable {
    /// The name without its dashes.
    package let name: String
    /// What the value is called in help; nil for a flag.
    package let value: String?
    /// The values that it takes, where they are few.
    package let choices: [String]
    /// Whether every occurrence adds a value; several may follow one occurrence.
    package let takesMany: Bool
    /// Whether a value may begin with one dash.
    package var mayBeginWithDash = false
    package let help: String

    /// A flag.
    package static func flag(_ name: String, _ help: String) -> Option {
      Option(name: name, value: nil, choices: [], takesMany: false, help: help)
    }

    /// An option with one value.
    package static func value(
      _ name: String, _ value: String, choices: [String] = [], _ help: String
    ) -> Option {
      Option(name: name, value: value, choices: choices, takesMany: false, help: help)
    }

    /// The option, with values that may begin with one dash.
    package var takingDashes: Option {
      var copy = self
      copy.mayBeginWithDash = true
      return copy
    }

    /// An option with any number of values, in one occurrence or in several.
    package static func values(_ name: String, _ value: String, _ help: String) -> Option {
      Option(name: name, value: value, choices: [], takesMany: true, help: help)
    }

    /// The option as help lists it.
    var usage: String { "--\(name)" + (value.map { " \($0)" + (takesMany ? "…" : "") } ?? "") }
  }

  /// A call to copy, and what it is good for.
  package struct Example: Sendable {
    package let call: String
    package let meaning: String

    package init(_ call: String, _ meaning: String) {
      self.call = call
      self.meaning = meaning
    }
  }

  /// What one exit code means.
  package struct ExitMeaning: Sendable {
    package let code: ExitCode
    package let meaning: String

    package init(_ code: ExitCode, _ meaning: String) {
      self.code = code
      self.meaning = meaning
    }
  }
}

/// The number with which a tool ends.
package struct ExitCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// All is well.
  package static let ok = ExitCode(rawValue: 0)
  /// The tool did its work, and what it found asks for attention.
  package static let findings = ExitCode(rawValue: 1)
  /// The call or a file makes no sense to the tool.
  package static let unusable = ExitCode(rawValue: 2)
  /// A store is damaged, or newer than the tool.
  package static let damaged = ExitCode(rawValue: 3)
  /// Another process keeps a store to itself.
  package static let busy = ExitCode(rawValue: 4)
}
