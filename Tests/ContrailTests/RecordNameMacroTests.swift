import Contrail
import Testing

@Suite struct RecordNameMacroTests {
  @Test func `a literal becomes a record name that is not optional`() {
    let name: RecordName = #recordName("flight-1")
    #expect(name == RecordName("flight-1"))
  }

  @Test func `quotation marks and backslashes arrive as they were written`() {
    #expect(#recordName("a\"b\\c").text == #"a"b\c"#)
    #expect(#recordName(#"a"b\c"#).text == "a\"b\\c")
  }
}
