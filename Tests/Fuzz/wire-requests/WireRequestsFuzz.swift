import DataModel
import JSONStream
import RecordWire

/// Reads any bytes as every message of the protocol, and as a token; what was accepted must write, read
/// again and then write the same bytes.
///
/// A trap, a hang or a difference is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWireRequests(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  for endpoint in WireEndpoint.rows {
    check(bytes, as: endpoint.request)
    check(bytes, as: endpoint.response)
  }
  for endpoint in ManagementEndpoint.rows {
    if let request = endpoint.request { check(bytes, as: request) }
    check(bytes, as: endpoint.response)
  }
  for endpoint in ExtensionEndpoint.rows {
    if let request = endpoint.request { check(bytes, as: request) }
    check(bytes, as: endpoint.response)
  }
  check(bytes, as: RequestFailure.self)
  check(bytes, as: SingleFileResponse.self)
  if let request = try? ModifyRequest(json: bytes) { checkFields(of: request) }
  checkTokens(String(decoding: bytes, as: UTF8.self))
  return 0
}

private func check<Message: WireMessage>(_ bytes: [UInt8], as type: Message.Type) {
  do throws(WireError) {
    let message = try Message(json: bytes)
    let written = try json(message)
    guard let again = try? Message(json: written), (try? again.json()) == written else {
      preconditionFailure("\(Message.self): what was written is not read as it was")
    }
  } catch {
    precondition(!error.description.isEmpty && !error.requestFailure.reason.isEmpty)
  }
}

/// What was read can be written: JSON has no infinities.
private func json(_ message: some WireMessage) throws(WireError) -> [UInt8] {
  do {
    return try message.json()
  } catch {
    preconditionFailure("what was read cannot be written: \(error)")
  }
}

/// Stored bytes give the values back, filtered or not, and coercing never traps.
private func checkFields(of request: ModifyRequest) {
  for operation in request.operations {
    guard case .fields(let fields)? = operation.record.content else { continue }
    guard let stored = try? FieldBytes(fields), let read = try? stored.fields(),
      let spelled = try? stored.spellingNumbersAsStrings(), (try? spelled.fields()) != nil
    else { preconditionFailure("fields that were read cannot be kept") }
    precondition(read.names == fields.names, "kept fields have other names")
    let wanted = DesiredKeys(fields.names.prefix(1))
    let filtered = try? stored.filtered(by: wanted).fields()
    precondition(filtered?.names == Array(fields.names.prefix(1)), "filtered by name")
    for entry in fields.entries {
      _ = entry.field.value.inferred
      for type in RecordSchema.FieldType.allCases {
        _ = try? entry.field.value.coerced(to: type, isList: false)
        _ = try? entry.field.value.coerced(to: type, isList: true)
      }
    }
  }
}

/// What is read as a token or a tag is written as it was read.
private func checkTokens(_ text: String) {
  if let token = try? SyncToken(text: text) {
    precondition((try? SyncToken(text: token.text)) == token, "a token changed")
  }
  if let marker = try? ContinuationMarker(text: text) {
    precondition((try? ContinuationMarker(text: marker.text)) == marker, "a marker changed")
  }
  if let counter = ChangeTag(text).counter {
    precondition(ChangeTag(counter: counter).text == text, "a tag changed")
  }
}
