import Synchronization
import Testing

@testable import CommandKit

@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("plain → täxt", "plain → täxt"), ("two\nlines\tand a tab", "two\nlines\tand a tab"),
    ("E\u{1b}[31m", #"E\u{1b}[31m"#), ("C1 \u{9b}31m", #"C1 \u{9b}31m"#),
    ("back\rto the start\u{8}", #"back\u{d}to the start\u{8}"#),
    ("line ends\r\n", "line ends\\u{d}\n"), ("delete\u{7f}", #"delete\u{7f}"#),
    ("right \u{202e}to left\u{2066}", #"right \u{202e}to left\u{2066}"#),
  ])
  func `what a terminal would obey is spelled out`(_ text: String, _ expected: String) {
    #expect(text.visible == expected)
  }

  @Test func `a console makes text and errors visible, and leaves formats alone`() {
    let written = Mutex<[String]>([])
    let console = Console(
      write: { text in written.withLock { $0.append(text) } },
      writeError: { text in written.withLock { $0.append(text) } }, isColourful: false)
    console.write("\u{1b}[1mbold\n")
    console.writeText("\u{1b}[1mtext\n")
    console.writeError("\u{1b}[1merror\n")
    #expect(
      written.withLock { $0 } == [
        "\u{1b}[1mbold\n", "\\u{1b}[1mtext\n", "\\u{1b}[1merror\n",
      ])
  }
}
