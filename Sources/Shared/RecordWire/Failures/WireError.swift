public import JSONStream

/// A message that cannot be read or written: which part of it, what was expected, and what came.
public struct WireError: Error, Hashable, Sendable {
  /// The kind of problem, for callers that decide by it.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// No JSON.
    case malformedJSON
    /// JSON of another shape: a string where an object belongs.
    case wrongShape
    /// A part that must be there is not.
    case missingKey
    /// A word that the protocol does not have, such as an unknown comparator.
    case unknownWord
    /// A field's value that is none of its type.
    case invalidValue
    /// More than a named limit allows.
    case limitExceeded
    /// A token, marker or cursor that this server did not make.
    case foreignToken
    /// A token, marker or cursor that this server made and that was changed or cut off.
    case damagedToken
    /// A value that JSON cannot hold, such as an infinity.
    case unwritable
  }

  /// The kind of problem.
  public var code: Code
  /// The way to the part: `operations[3].record.fields.title`; empty for the whole message.
  public var path: String
  /// The record that the part belongs to.
  public var recordName: String?
  /// The field that the part belongs to.
  public var field: String?
  /// What would have been right, as a noun phrase.
  public var expected: String
  /// What was there instead, as a noun phrase.
  public var found: String
  /// Where in the text, when that is known.
  public var position: JSONPosition?
  /// The words for the peer, when the protocol has some of its own.
  public var protocolReason: String?

  /// Describes a problem.
  public init(
    _ code: Code, path: String = "", expected: String, found: String,
    position: JSONPosition? = nil, protocolReason: String? = nil
  ) {
    self.code = code
    self.path = path
    self.expected = expected
    self.found = found
    self.position = position
    self.protocolReason = protocolReason
  }
}

extension WireError: CustomStringConvertible {
  /// Which part: the way to it, and the record that it belongs to.
  public var subject: String {
    guard let recordName, !recordName.isEmpty else { return path.isEmpty ? "the message" : path }
    return (path.isEmpty ? "" : "\(path) of ") + "record '\(recordName.prefix(64))'"
  }

  /// What is wrong with it.
  public var message: String { "expected \(expected), found \(found)" }

  /// What to do about it.
  public var fix: String { Self.fixes[code] ?? "" }

  /// What a server answers as `reason`.
  public var reason: String {
    let text = protocolReason ?? "BadRequestException: Unexpected input: \(message)"
    return subject == "the message" ? text : "\(text) (\(subject))"
  }

  /// Subject, message and fix in one line.
  public var description: String {
    let place = position.map { " at \($0)" } ?? ""
    return "\(subject): \(message)\(place); \(fix)"
  }

  /// The answer to a request that cannot be read.
  public var requestFailure: RequestFailure { RequestFailure(.badRequest, reason: reason) }

  private static let fixes: [Code: String] = [
    .malformedJSON: "send one JSON object in UTF-8",
    .wrongShape: "send the part in the expected shape",
    .missingKey: "add the part",
    .unknownWord: "use one of the protocol's words",
    .invalidValue: "send a value of the expected type, or change the type in the schema",
    .limitExceeded: "split the request, or make the part smaller",
    .foreignToken: "leave the token out and begin anew",
    .damagedToken: "send the token as it was answered, or leave it out and begin anew",
    .unwritable: "replace the value by a finite one",
  ]
}
