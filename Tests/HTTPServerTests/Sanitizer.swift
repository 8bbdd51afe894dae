import Glibc
import Testing

/// What bounds of tests are multiplied by where everything is slower and larger: under a sanitizer.
///
/// `scripts/test --sanitize` names it in the environment; an ordinary run multiplies by one.
enum Sanitizer {
  /// How many times as long everything may take, deadlines of servers under test included.
  static let slowness = factor(5)
  /// How many times as much memory the process may take: shadow memory, and what is freed and kept back.
  static let appetite = factor(30)

  private static let isThere = isNamed(getenv("CONTRAIL_SANITIZER").map { String(cString: $0) })

  private static func factor(_ sanitized: Int) -> Int { isThere ? sanitized : 1 }

  static func isNamed(_ name: String?) -> Bool { name == "thread" || name == "address" }
}

@Suite struct SanitizerTests {
  @Test func `bounds are wider only where a sanitizer is named`() {
    #expect([nil, "", "none"].map(Sanitizer.isNamed) == [false, false, false])
    #expect(["thread", "address"].map(Sanitizer.isNamed) == [true, true])
    let isSanitized = Sanitizer.isNamed(getenv("CONTRAIL_SANITIZER").map { String(cString: $0) })
    #expect(Sanitizer.slowness == (isSanitized ? 5 : 1))
  }
}
