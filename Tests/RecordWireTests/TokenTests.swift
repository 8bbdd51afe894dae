import RecordWire
import SchemaGenerator
import Testing

/// Tokens, markers and tags: what was written is read, and nothing else is.
@Suite struct TokenTests {
  private static let tokens: [SyncToken] = [
    SyncToken(feed: .zone, epoch: 0, sequence: 0),
    SyncToken(feed: .database, epoch: 7, sequence: 300),
    SyncToken(feed: .zone, epoch: .max, sequence: .max),
    SyncToken(
      feed: .zone, epoch: 1, sequence: 12,
      firstPull: .init(beganAt: 5, position: Array("0C0AEA6E".utf8))),
    SyncToken(feed: .database, epoch: 1, sequence: 2, firstPull: .init(beganAt: 0, position: [])),
  ]

  @Test(arguments: tokens) func `a sync token is read as it was written`(token: SyncToken) throws {
    #expect(try SyncToken(text: token.text) == token)
    #expect(
      token.text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
  }

  @Test func `a token written by this version is read for ever`() throws {
    #expect(
      Self.tokens.map(\.text) == [
        "AQEAAAAblcdd", "AQIHrAIA-GSPew", "AQH___________8B____________AQAsx4e1",
        "AQEBDAEFCDBDMEFFQTZFO84xGQ", "AQIBAgEAALKaIbg",
      ])
    let marker = ContinuationMarker(epoch: 3, query: .max, position: [0, 255, 7])
    #expect(marker.text == "AQMD____________AQMA_wdIDAL_")
    #expect(try ContinuationMarker(text: marker.text) == marker)
  }

  @Test func `texts that are no token of this server are refused as foreign`() {
    let marker = ContinuationMarker(epoch: 3, query: 4, position: []).text
    let foreign = ["", "A", "AQAA", "not base64!", "AQAAAWVkdGVzdA==", "é", marker]
    for text in foreign {
      let error = #expect(throws: WireError.self) { try SyncToken(text: text) }
      #expect(error?.code == .foreignToken, "\(text)")
      #expect(error?.requestFailure.reason == "Unknown sync continuation type", "\(text)")
    }
    let error = #expect(throws: WireError.self) {
      try ContinuationMarker(text: Self.tokens[0].text)
    }
    #expect(
      error?.description
        == "the message: expected a query continuation of this server, found another text; leave the token out and begin anew"
    )
  }

  @Test func `a token with any one bit changed, or cut off, is refused`() throws {
    for token in Self.tokens {
      let text = Array(token.text.utf8)
      for length in 0..<text.count {
        #expect(throws: WireError.self) {
          try SyncToken(text: String(decoding: text[..<length], as: UTF8.self))
        }
      }
      for index in text.indices {
        for bit in 0..<7 {
          var changed = text
          changed[index] ^= 1 << UInt8(bit)
          #expect(throws: WireError.self) {
            try SyncToken(text: String(decoding: changed, as: UTF8.self))
          }
        }
      }
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `random tokens and markers are read as they were written`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let position = (0..<random.below(40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let token = SyncToken(
        feed: random.oneIn(2) ? .zone : .database, epoch: random.next() >> UInt64(random.below(64)),
        sequence: random.next() >> UInt64(random.below(64)),
        firstPull: random.oneIn(2)
          ? nil : .init(beganAt: random.next() >> UInt64(random.below(64)), position: position),
        filter: random.maybe { random in
          let max = Int64(bitPattern: random.next())
          return SyncToken.Filter(
            fingerprint: random.next(), max: max,
            band: random.maybe { .init(above: max, position: $0.next()) })
        })
      #expect(try SyncToken(text: token.text) == token, "seed \(seed)")
      let marker = ContinuationMarker(
        epoch: random.next(), query: random.next(), position: position)
      #expect(try ContinuationMarker(text: marker.text) == marker, "seed \(seed)")
    }
  }

  @Test func `a change tag is a counter in base 36, and any other text stays what it is`() {
    #expect(ChangeTag(counter: 0).text == "0")
    #expect(ChangeTag(counter: 50).text == "1e")
    #expect(ChangeTag("1e").counter == 50)
    #expect(ChangeTag(counter: .max).counter == .max)
    for text in ["", "01", "1E", "+1", "-1", "zzzzzzzzzzzzzzz", "a b"] {
      #expect(ChangeTag(text).counter == nil, "\(text)")
      #expect(ChangeTag(text).text == text)
    }
  }
}
