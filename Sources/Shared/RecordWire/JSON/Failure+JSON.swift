public import JSONStream

/// A failure while its keys are read.
struct FailureDraft {
  var code: ErrorCode?
  var reason: String?
  var retryAfter: Int64?
  var uuid: String?
  var redirectURL: String?
  var subscriptionID: String?

  /// Reads the value of `key` if it is one of a failure, and says whether it was.
  mutating func read(
    _ key: borrowing JSONText, _ json: inout JSONReader, _ limits: WireLimits
  ) throws -> Bool {
    switch key {
    case "serverErrorCode":
      code = try json.text("serverErrorCode").map { ErrorCode(rawValue: $0) }
    case "extensionErrorCode":
      let text = try json.text("extensionErrorCode")
      code = code ?? text.map { ErrorCode(rawValue: $0) }
    case "reason":
      reason = try json.text("reason")
    case "retryAfter":
      retryAfter = try json.seconds("retryAfter")
    case "uuid":
      uuid = try json.text("uuid")
    case "redirectURL":
      redirectURL = try json.text("redirectURL")
    case "redirectUrl":
      let text = try json.text("redirectUrl")
      redirectURL = redirectURL ?? text
    case "subscriptionID":
      subscriptionID = try json.text("subscriptionID")
    default:
      return false
    }
    return true
  }

  /// The failure; nil where no code came, so that this is none.
  var failure: RequestFailure? {
    code.map { code in
      RequestFailure(
        code, reason: reason, retryAfter: retryAfter, uuid: uuid, redirectURL: redirectURL)
    }
  }

  func subject(record: String? = nil, zone: ZoneIdentity? = nil) -> ItemFailure.Subject {
    if let record { return .record(record) }
    if let zone { return .zone(zone) }
    return subscriptionID.map { .subscription($0) } ?? .unnamed
  }
}

extension JSONReader {
  /// Reads seconds, a part of one as a whole one, or null as nil.
  fileprivate mutating func seconds(_ name: StaticString) throws -> Int64? {
    try optional(name) { reader in
      switch try reader.readNumber() {
      case .integer(let value): max(0, value)
      case .double(let value): Int64(exactly: max(0, value).rounded(.up)) ?? .max
      default: .max
      }
    }
  }
}

extension RequestFailure: WireResponse {
  /// Reads the body of an answer that is an error as a whole.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var draft = FailureDraft()
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      _ = try draft.read(key, &json, limits)
    }
    self = try draft.failure.required("serverErrorCode")
  }

  /// Writes the body of an answer that is an error as a whole.
  public func write(to json: inout JSONWriter) {
    json.object { json in writeMembers(to: &json) }
  }

  func writeMembers(to json: inout JSONWriter) {
    json.member("uuid", ifPresent: uuid)
    json.member("serverErrorCode", code.rawValue)
    json.member("reason", reason)
    json.member("retryAfter", ifPresent: retryAfter)
    json.member("redirectURL", ifPresent: redirectURL)
  }
}

extension ItemFailure {
  /// Writes the entry of a list that stands for an item that failed.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      switch subject {
      case .record(let name): json.member("recordName", name)
      case .zone(let zone): json.member("zoneID", ifPresent: zone)
      case .subscription(let identifier): json.member("subscriptionID", identifier)
      case .unnamed: break
      }
      json.member("reason", failure.reason)
      json.member("serverErrorCode", failure.code.rawValue)
      json.member("retryAfter", ifPresent: failure.retryAfter)
      json.member("uuid", ifPresent: failure.uuid)
      json.member("redirectURL", ifPresent: failure.redirectURL)
    }
  }
}
