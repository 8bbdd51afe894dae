import CommandKit
import SchemaFormats

/// A schema as the server takes it: a `.ckdb` text as it is, or made of another kind of schema.
struct SchemaText {
  let text: String
  let file: String

  init(_ call: Invocation, at path: String) throws {
    let (package, texts) = try SchemaFiles(call.console).packageWithTexts(at: path)
    guard let document = package.current else {
      throw DiskError(path: path, problem: "it holds no version of a schema")
    }
    file = path
    if case .records = document.content, let bytes = texts[path], !Self.isJSON(bytes) {
      text = String(decoding: bytes, as: UTF8.self)
    } else {
      text = try CKDB.text(of: document.records(try call.mappingProfile(for: [path])))
    }
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    bytes.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "{")
  }
}
