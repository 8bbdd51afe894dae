import DataModel
import Testing

@testable import MacroExpansions

@Suite struct RecordNameExpansionTests {
  private func expand(_ source: String) -> Expansion {
    Expansion(of: source, macros: ["recordName": RecordNameMacro.self])
  }

  @Test func `a literal expands to an initializer that cannot fail`() {
    let expansion = expand(#"let name = #recordName("flight-1")"#)
    #expect(expansion.text == #"let name = Contrail.RecordName(_checked: "flight-1")"#)
    #expect(expansion.diagnostics == [])
  }

  @Test func `raw and multi-line literals expand to the text that they spell`() {
    let raw = expand(##"let name = #recordName(#"a"b\c"#)"##)
    #expect(raw.text == ##"let name = Contrail.RecordName(_checked: #"a"b\c"#)"##)
    let lines = expand("let name = #recordName(\"\"\"\n  flight-\\\n  1\n  \"\"\")")
    #expect(lines.text == #"let name = Contrail.RecordName(_checked: "flight-1")"#)
  }

  @Test(arguments: [
    (#""""#, "is empty"),
    (#""_settings""#, "begins with an underscore"),
    (#""vol-été""#, "has a character outside printable ASCII"),
    (#""tab\there""#, "has a character outside printable ASCII"),
    ("\"" + String(repeating: "n", count: 256) + "\"", "is longer than 255 characters"),
  ])
  func `a name that the record service refuses is an error at the literal`(
    literal: String, problem: String
  ) {
    let expansion = expand("let name = #recordName(\(literal))")
    #expect(expansion.diagnostics == ["1:24: error: the record name \(problem)"])
  }

  @Test func `a name of the greatest length is taken`() {
    let name = String(repeating: "n", count: RecordName.charactersMax)
    #expect(expand("let name = #recordName(\"\(name)\")").diagnostics == [])
  }

  @Test func `an interpolation is an error that points at it`() {
    let expansion = expand(#"let name = #recordName("flight-\(number)")"#)
    #expect(
      expansion.diagnostics == [
        "1:32: error: #recordName takes a literal without interpolation; "
          + "for text made at run time use RecordName(_:)"
      ])
  }

  @Test(arguments: [
    (#"#recordName(text)"#, "1:13"), (#"#recordName("a" + "b")"#, "1:13"),
    (#"#recordName()"#, "1:1"),
  ])
  func `anything but a literal is an error that names the initializer for it`(
    source: String, place: String
  ) {
    #expect(
      expand(source).diagnostics == [
        "\(place): error: #recordName takes a string literal; for other text use RecordName(_:)"
      ])
  }

  @Test func `a literal with a broken escape is an error`() {
    #expect(
      expand(#"#recordName("a\qb")"#).diagnostics == [
        "1:13: error: the literal cannot be read; mend its escapes"
      ])
  }
}
