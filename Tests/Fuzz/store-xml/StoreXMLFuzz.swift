import ObjectStore

/// Opens any bytes as an XML store.
///
/// Whatever comes, it ends with a `StoreError`, or with a store that can be written, and that then
/// reads as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStoreXML(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  let first: [UInt8]
  do {
    first = try StoreBytes.rewritten(bytes, as: .xml)
  } catch {
    precondition(error is StoreError, "an error of another type: \(error)")
    return 0
  }
  let second = try? StoreBytes.rewritten(first, as: .xml)
  precondition(second == first, "what was accepted is written and read as something else")
  return 0
}
