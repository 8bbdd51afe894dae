import JSONStream
import Testing

@Suite struct WalkingTests {
  @Test func `an object is walked by its keys, and what is not read is skipped`() throws {
    let text =
      #"{"name":"Ada","skipped":[1,{"a":[]}],"n\u0075mber":-7,"ok":true,"none":null,"last":1.5}"#
    var log: [String] = []
    try JSONReader.read(Array(text.utf8)) { reader in
      let object = try reader.beginObject()
      while let key = try reader.nextKey(of: object) {
        switch key {
        case "name": log.append("name \(try reader.readString())")
        case "number": log.append("number \(try reader.readInt64())")
        case "ok": log.append("ok \(try reader.readBool())")
        case "none": log.append("none \(try reader.readNull())")
        case "last": log.append("last \(try reader.readDouble())")
        default: log.append("left \(key.string)")
        }
      }
    }
    #expect(
      log == ["name Ada", "left skipped", "number -7", "ok true", "none true", "last 1.5"])
  }

  @Test func `null is read as nil where a value may be missing`() throws {
    let texts = try JSONReader.read(Array(#"["x",null]"#.utf8)) { reader in
      var texts: [String?] = []
      let array = try reader.beginArray()
      while try reader.nextElement(of: array) {
        texts.append(try reader.readNull() ? nil : try reader.readString())
      }
      return texts
    }
    #expect(texts == ["x", nil])
  }

  @Test func `closures walk nested objects and arrays`() throws {
    let text = #"{"rows":[{"x":1},{"x":2,"y":0},{}],"total":3}"#
    var rows: [Int64] = []
    var total: UInt64 = 0
    try JSONReader.read(Array(text.utf8)) { reader in
      try reader.readObject { key, reader in
        if key == "total" { total = try reader.readUInt64() }
        guard key == "rows" else { return }
        try reader.readArray { reader in
          try reader.readObject { key, reader in
            if key == "x" { rows.append(try reader.readInt64()) }
          }
        }
      }
    }
    #expect(rows == [1, 2])
    #expect(total == 3)
  }

  @Test func `tokens come one by one`() throws {
    let tokens = try JSONReader.read(Array(#" {"a":[1,"x",null],"b":{}} "#.utf8)) { reader in
      var tokens: [JSONToken] = []
      repeat { tokens.append(try reader.next()) } while tokens.last != .end
      return tokens
    }
    #expect(
      tokens == [
        .beginObject, .key("a"), .beginArray, .number(.integer(1)), .string("x"), .null, .endArray,
        .key("b"), .beginObject, .endObject, .endObject, .end,
      ])
  }

  @Test func `the bytes of a value can be copied instead of built`() throws {
    let text = #"{"a": [1, 2,{"b":"\n"}] ,"c":0}"#
    let copy = try JSONReader.read(Array(text.utf8)) { reader in
      var copy: [UInt8] = []
      try reader.readObject { key, reader in
        if key == "a" { copy = reader.bytes(in: try reader.skipValue()) }
      }
      return copy
    }
    #expect(String(decoding: copy, as: UTF8.self) == #"[1, 2,{"b":"\n"}]"#)
  }

  @Test
  func `a second value for one key, and an object left too early, are reported and do no harm`() {
    #expect(throws: JSONError.self) {
      try JSONReader.read(Array("[1,2]".utf8)) { reader in
        try reader.readArray { reader in
          _ = try reader.readInt64()
          _ = try reader.readInt64()
        }
      }
    }
    #expect(throws: JSONError.self) {
      try JSONReader.read(Array("[[1],2]".utf8)) { reader in
        try reader.readArray { reader in _ = try reader.beginArray() }
      }
    }
  }
}
