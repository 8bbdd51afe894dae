import JSONStream

/// Reads any bytes as JSON in every way there is, which must agree, and writes again what was
/// accepted, which must read as the same value.
///
/// A trap, a hang or a difference is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // A copy of exactly this size, so that the address sanitizer sees a read beyond it.
  let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
    if let start, count > 0 {
      buffer.baseAddress?.initialize(from: start, count: count)
      length = count
    }
  }
  let tree = attempt { try JSONValue(reading: bytes) }
  let check = attempt { try JSONReader.validate(bytes) }
  let tokens = attempt { try countTokens(bytes) }
  precondition(tree.error == check.error, "building and skipping disagree")
  precondition(tree.error == tokens.error, "building and tokens disagree")
  _ = attempt { try readTyped(bytes) }
  guard let value = tree.value else { return 0 }
  for style in [JSONWriter.Style.compact, .pretty] {
    guard let text = try? value.bytes(style), let again = try? JSONValue(reading: text) else {
      preconditionFailure("what was accepted cannot be written and read")
    }
    precondition(again == value, "what was written reads as another value")
  }
  return 0
}

private func attempt<Value>(_ body: () throws -> Value) -> (value: Value?, error: JSONError?) {
  do {
    return (try body(), nil)
  } catch {
    precondition(error is JSONError, "an error of another type")
    return (nil, error as? JSONError)
  }
}

private func countTokens(_ bytes: [UInt8]) throws -> Int {
  try JSONReader.read(bytes) { reader in
    var count = 0
    while try reader.next() != .end { count += 1 }
    return count
  }
}

/// Walks with the typed calls, chosen by the bytes themselves, so that wrong types, unread values and
/// early ends come about.
private func readTyped(_ bytes: [UInt8]) throws {
  var choices = bytes.makeIterator()
  try JSONReader.read(bytes, limits: JSONLimits(depthMax: 8, stringBytesMax: 64)) { reader in
    try readValue(&reader, &choices)
  }
}

private func readValue(
  _ reader: inout JSONReader, _ choices: inout IndexingIterator<[UInt8]>
) throws {
  switch (choices.next() ?? 0) % 12 {
  case 0: _ = try reader.readInt64()
  case 1: _ = try reader.readUInt64()
  case 2: _ = try reader.readDouble()
  case 3: _ = try reader.readNumberText()
  case 4: _ = try reader.readBool()
  case 5: _ = try reader.readBase64()
  case 6: _ = try reader.readNull()
  case 7: _ = reader.bytes(in: try reader.skipValue())
  case 8: break
  case 9: _ = try reader.next()
  default:
    switch try reader.peekType() {
    case .object:
      let object = try reader.beginObject()
      while let key = try reader.nextKey(of: object) {
        if key == "skip" { continue }
        _ = (key.string, reader.position)
        try readValue(&reader, &choices)
      }
    case .array:
      try reader.readArray { reader in try readValue(&reader, &choices) }
    default:
      _ = try reader.readString()
    }
  }
}
