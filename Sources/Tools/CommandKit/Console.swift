import Glibc
import Synchronization

/// Where a tool's output goes, and what may be written there.
package struct Console: Sendable {
  /// Takes bytes of a format, or text with colours, for standard output as they are.
  package let write: @Sendable (String) -> Void
  /// Takes text for standard error, and makes visible what a terminal would obey.
  package let writeError: @Sendable (String) -> Void
  /// Whether standard output may carry colours.
  package let isColourful: Bool
  /// Shows how far long work has come, in one line in place of the last one, and takes it away where it
  /// is empty; does nothing away from a terminal.
  package let showProgress: @Sendable (String) -> Void
  /// Asks whoever sits at the terminal, and waits for a line; nil where nobody does.
  package let ask: @Sendable (String) -> String?
  /// Why output could not be written; nil while all was.
  let failure: @Sendable () -> String?

  package init(
    write: @escaping @Sendable (String) -> Void,
    writeError: @escaping @Sendable (String) -> Void, isColourful: Bool,
    showProgress: @escaping @Sendable (String) -> Void = { _ in },
    ask: @escaping @Sendable (String) -> String? = { _ in nil },
    failure: @escaping @Sendable () -> String? = { nil }
  ) {
    self.ask = ask
    self.showProgress = showProgress
    self.failure = failure
    self.write = write
    self.writeError = { writeError($0.visible) }
    self.isColourful = isColourful
  }

  /// Writes text for people to standard output, and makes visible what a terminal would obey.
  package func writeText(_ text: String) { write(text.visible) }

  /// The process's own output.
  ///
  /// Colours go to a terminal only, and not where `NO_COLOR` is set (no-color.org).
  package static func standard(environment: [String: String]) -> Console {
    let problem = FirstProblem()
    let isDumb = environment["TERM"] == "dumb"
    let showsProgress = isatty(STDERR_FILENO) == 1 && !isDumb
    return Console(
      write: { problem.note(Self.write($0, to: STDOUT_FILENO)) },
      writeError: { _ = Self.write($0, to: STDERR_FILENO) },
      isColourful: isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
        && !isDumb,
      // Back to the line's begin, and nothing in it.
      showProgress: { text in
        if showsProgress { _ = Self.write("\r\u{1b}[2K\(text.visible)", to: STDERR_FILENO) }
      },
      ask: { question in
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        _ = Self.write(question.visible, to: STDERR_FILENO)
        return readLine()
      },
      failure: { problem.words })
  }

  /// Writes all of `text`, or gives the error number that stopped it; a reader that has gone away
  /// wants no more, which is no error.
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let start = rest.baseAddress, !rest.isEmpty {
        // The corresponding C function is `write`.
        let count = Glibc.write(descriptor, start, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return errno == EPIPE ? nil : errno }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return nil
    }
  }
}

/// The first error number that writing met.
private final class FirstProblem: Sendable {
  private let code = Mutex<Int32?>(nil)

  func note(_ number: Int32?) { code.withLock { $0 = $0 ?? number } }

  var words: String? {
    code.withLock { $0 }.map { number in
      strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
  }
}
