import SchemaLint

/// Reads any bytes as the lint's configuration and as a baseline.
///
/// Whatever comes, each ends with a value or with problems that name places; a baseline that was
/// accepted must write, and read again as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLintConfig(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  do {
    _ = try LintConfiguration(reading: bytes, file: "fuzz")
  } catch {
    precondition(!error.problems.isEmpty, "an error without a problem")
  }
  do {
    let baseline = try LintBaseline(reading: bytes, file: "fuzz")
    guard let text = try? baseline.text(),
      let again = try? LintBaseline(reading: Array(text.utf8), file: "again")
    else { preconditionFailure("what was read cannot be written") }
    precondition(
      Set(again.entries.map(\.key)) == Set(baseline.entries.map(\.key)), "another baseline")
  } catch {
    precondition(!error.problems.isEmpty, "an error without a problem")
  }
  return 0
}
