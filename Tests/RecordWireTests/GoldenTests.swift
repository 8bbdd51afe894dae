import JSONStream
import RecordWire
import Testing

/// Every message of `Schemas/wire/v1`: both sides read and write it the same way for ever.
@Suite struct GoldenTests {
  @Test func `each operation has good and bad messages, and no file is forgotten`() throws {
    let folder = try GoldenFolder()
    #expect(folder.strangers == [])
    #expect(Set(folder.files.map(\.folder)) == Set(GoldenMessages.byFolder.keys))
    for (name, messages) in GoldenMessages.byFolder {
      let kinds = Set(
        folder.files.filter { $0.folder == name }.map { "\($0.isRequest) \($0.quality)" })
      #expect(kinds.contains("false good"), "\(name) has no good response")
      guard messages.request != nil else { continue }
      #expect(kinds.contains("true good"), "\(name) has no good request")
      #expect(kinds.contains("true bad"), "\(name) has no bad request")
    }
  }

  @Test func `good messages are written again to the same bytes`() throws {
    for file in try GoldenFolder().files where file.quality == .good {
      try check(file, is: try file.text)
    }
  }

  @Test func `what other clients write is read, and written in the canonical form`() throws {
    for file in try GoldenFolder().files where file.quality == .lenient {
      let type = try messages(of: file)
      let canonical = try file.companion(
        "canonical.json", now: try rewritten(file.bytes, as: type))
      try check(file, is: canonical)
    }
  }

  @Test func `bad messages are refused with the part, the reason and what to do`() throws {
    for file in try GoldenFolder().files where file.quality == .bad {
      let type = try messages(of: file)
      let outcome = refusal(try file.bytes, as: type)
      #expect(outcome == (try file.companion("txt", now: outcome)), "\(file)")
    }
  }

  /// The file reads; written with line breaks it is as expected, and so is what its short form says.
  private func check(_ file: GoldenFile, is expected: String) throws {
    let type = try messages(of: file)
    #expect(try rewritten(file.bytes, as: type) == expected, "\(file)")
    let compact = try bytes(file.bytes, as: type, .compact)
    #expect(try rewritten(compact, as: type) == expected, "\(file)")
    #expect(try bytes(compact, as: type, .compact) == compact, "\(file)")
  }

  private func messages(of file: GoldenFile) throws -> any WireMessage.Type {
    let messages = try #require(GoldenMessages.byFolder[file.folder])
    return file.isRequest ? try #require(messages.request) : messages.response
  }

  private func rewritten<Message: WireMessage>(
    _ json: [UInt8], as type: Message.Type
  ) throws -> String {
    String(decoding: try bytes(json, as: type, .pretty), as: UTF8.self)
  }

  private func bytes<Message: WireMessage>(
    _ json: [UInt8], as type: Message.Type, _ style: JSONWriter.Style
  ) throws -> [UInt8] {
    try Message(json: json).json(style)
  }

  private func refusal<Message: WireMessage>(_ json: [UInt8], as type: Message.Type) -> String {
    do {
      return "read as \(try Message(json: json))\n"
    } catch {
      return "\(error.code.rawValue)\n\(error.reason)\n\(error)\n"
    }
  }
}

extension GoldenFile {
  fileprivate var text: String {
    get throws { String(decoding: try bytes, as: UTF8.self) }
  }
}
