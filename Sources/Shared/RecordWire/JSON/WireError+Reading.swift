import JSONStream

extension WireError {
  /// Any error that reading a message throws.
  init(_ error: any Error) {
    switch error {
    case let error as WireError: self = error
    case let error as JSONError: self.init(error)
    default: self.init(.wrongShape, expected: "a message", found: "\(error)")
    }
  }

  private init(_ error: JSONError) {
    let code: Code =
      switch error.code {
      case .wrongType, .refused, .numberOutOfRange: .wrongShape
      case .tooDeep, .textTooLong, .stringTooLong, .numberTooLong: .limitExceeded
      default: .malformedJSON
      }
    self.init(code, expected: error.expected, found: error.found, position: error.position)
  }

  /// The error, seen from the object or list around it.
  func inside(_ part: String) -> WireError {
    var error = self
    let joint = path.isEmpty || path.hasPrefix("[") ? "" : "."
    error.path = part + joint + path
    return error
  }

  /// The error of a part that must be there.
  static func missing(_ key: String) -> WireError {
    WireError(.missingKey, expected: "the key '\(key)'", found: "none")
  }

  /// The error of what is more than a limit.
  static func tooMany(_ noun: String, max: Int, found: String) -> WireError {
    WireError(.limitExceeded, expected: "at most \(max) \(noun)", found: found)
  }
}
