import JSONStream
import Testing

@Suite struct WriterTests {
  @Test func `pretty text has one member or element a line, and ends with a line break`() throws {
    let value: JSONValue = [
      "name": "Flight Log", "version": 3, "empty": [], "nothing": [:], "ratio": 0.5,
      "entities": [["name": "Pilot", "abstract": false, "parent": nil], 1],
    ]
    #expect(
      String(decoding: try value.bytes(.pretty), as: UTF8.self) == """
        {
          "name": "Flight Log",
          "version": 3,
          "empty": [],
          "nothing": {},
          "ratio": 0.5,
          "entities": [
            {
              "name": "Pilot",
              "abstract": false,
              "parent": null
            },
            1
          ]
        }

        """)
  }

  @Test func `only what must be escaped is escaped`() throws {
    let control = (0..<0x20).map { String(Unicode.Scalar($0)) }.joined()
    let value = JSONValue(.string(control + "\"\\/\u{7f}é\u{2028}𝄞"))
    #expect(
      String(decoding: try value.bytes(), as: UTF8.self)
        == #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f"#
        + #"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c"#
        + #"\u001d\u001e\u001f\"\\/"# + "\u{7f}é\u{2028}𝄞\"")
  }

  @Test func `a character to be escaped is found at every place of strings of every length`() throws
  {
    for length in 1..<40 {
      for place in 0..<length {
        for special in ["\"", "\\", "\n", "é"] {
          var characters = Array(repeating: "a", count: length)
          characters[place] = special
          let value: JSONValue = [characters.joined(): JSONValue(.string(characters.joined()))]
          #expect(try JSONValue(reading: try value.bytes()) == value)
        }
      }
    }
    let long = JSONValue(.string(String(repeating: "\u{1}\"x", count: 10_000)))
    #expect(try JSONValue(reading: try long.bytes()) == long)
  }

  @Test func `bytes travel as base64 with padding`() throws {
    let cases: [([UInt8], String)] = [
      ([], ""), ([0x66], "Zg=="), ([0x66, 0x6f], "Zm8="), ([0x66, 0x6f, 0x6f], "Zm9v"),
      ([0xfb, 0xff, 0xfe, 0x00], "+//+AA=="),
    ]
    for (bytes, text) in cases {
      var json = JSONWriter()
      json.base64(bytes)
      let written = try json.finish()
      #expect(String(decoding: written, as: UTF8.self) == "\"\(text)\"")
      #expect(try JSONReader.read(written) { try $0.readBase64() } == bytes)
    }
    for text in ["Z", "Zg", "Zg=", "Zh==", "Zm9=", "Zg==Zg==", "Z===", "====", "Zm 8", "Zm8-"] {
      let refused = problem {
        _ = try JSONReader.read(Array("\"\(text)\"".utf8)) { try $0.readBase64() }
      }
      #expect(refused == .refused, "\(text)")
    }
  }

  @Test func `what cannot become valid JSON is reported, and gives no bytes`() {
    #expect(outcome { $0.double(.nan) } == .notFinite)
    #expect(outcome { json in json.array { $0.double(-.infinity) } } == .notFinite)
    #expect(outcome { _ in } == .misuse)
    #expect(
      outcome { json in
        json.null()
        json.null()
      } == .misuse)
    #expect(outcome { json in json.object { $0.string("no key") } } == .misuse)
    #expect(outcome { json in json.object { $0.key("no value") } } == .misuse)
    #expect(outcome { json in json.array { $0.key("a key") } } == .misuse)
    #expect(outcome { json in json.key("a key") } == .misuse)
    #expect(
      outcome { json in
        json.object { json in
          json.key("one")
          json.key("two")
        }
      } == .misuse)
    for text in ["", " 1", "1 ", "01", "+1", "\"1\"", "[1]", "1,2", "NaN", "0x1", "-"] {
      #expect(outcome { $0.numberText(text) } == .invalidNumber, "\(text)")
    }
    #expect(outcome { $0.numberText("-12.50e+3") } == nil)
  }

  @Test func `an object whose body throws is not finished by catching the error`() {
    struct Stop: Error {}
    let code = outcome { json in
      json.array { json in
        do {
          try json.object { json throws(Stop) in
            json.member("a", 1)
            throw Stop()
          }
        } catch {}
      }
    }
    #expect(code == .misuse)
  }

  @Test func `a text can be appended to bytes that are there`() throws {
    var bytes = Array("data: ".utf8)
    var json = JSONWriter()
    json.array { $0.checkedJSON(Array(#"{"a":1}"#.utf8)) }
    try json.finish(appendingTo: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == #"data: [{"a":1}]"#)
  }

  private func outcome(_ body: (inout JSONWriter) -> Void) -> JSONError.Code? {
    var json = JSONWriter()
    body(&json)
    do {
      _ = try json.finish()
      return nil
    } catch {
      return error.code
    }
  }
}
