import Foundation
import SwiftParser
import SwiftSyntax

/// A Swift file, parsed, and where it stands in the repository.
struct SourceFile {
  /// The path from the root of the repository.
  let path: String
  /// The file's text.
  let text: String
  /// The file's syntax.
  let syntax: SourceFileSyntax

  private let lines: SourceLocationConverter

  init(path: String, text: String) {
    self.path = path
    self.text = text
    syntax = Parser.parse(source: text)
    lines = SourceLocationConverter(fileName: path, tree: syntax)
  }

  /// The line, from 1, on which `node` begins.
  func line(of node: some SyntaxProtocol) -> Int {
    node.startLocation(converter: lines).line
  }

  /// The text of the line numbered `number`, without the space around it.
  func trimmedLine(_ number: Int) -> String {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard all.indices.contains(number - 1) else { return "" }
    return all[number - 1].trimmingCharacters(in: .whitespaces)
  }
}

/// Something in the sources that the architecture does not allow.
struct Violation: Equatable, CustomStringConvertible {
  var path: String
  var line: Int
  var message: String

  var description: String { "\(path):\(line): \(message)" }
}
