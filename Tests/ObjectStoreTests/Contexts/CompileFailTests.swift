import ChildPrograms
import Testing

/// Programs that the compiler must refuse: `Tests/Fixtures/compile-fail`.
@Suite struct CompileFailTests {
  @Test(arguments: CompileCheck.fixtures("compile-fail"))
  func `is refused where it says so`(fixture: String) throws {
    let check = try CompileCheck("compile-fail", fixture)
    #expect(check.missing == [])
    #expect(check.unexpected == [])
    #expect(check.expectsNone == (fixture == "allowed.swift"))
  }

  @Test func `there are fixtures`() {
    #expect(CompileCheck.fixtures("compile-fail").count >= 8)
  }
}
