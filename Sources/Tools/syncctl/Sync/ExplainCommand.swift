import CommandKit
import FoundationEssentials
import JSONStream
import ObjectStore
import RecordWire
import SyncClient
import SyncCore

let explainCommand = Command(
  "explain",
  summary: "Tell all that is known of one record: why it is as it is.",
  discussion: """
    What the object has, what the server confirmed, when each field was edited and on which device, what
    waits or has failed, and what the log says. With --server the server is asked what it has now.
    """,
  arguments: [
    .init("STORE", "an SQLite store that syncctl init has set up"),
    .init("RECORD", "a record's name, or an object as ENTITY/KEY"),
  ],
  options: [.flag("server", "ask the server what it has now, too")]
    + Command.Option.userCredentials + [.json],
  examples: [.init("syncctl explain log.sqlite LogEntry/3", "why has it this value?")],
  exits: [
    .done, .init(.attention, "there is no such record"), .unsyncable, .refusedCredentials,
    .noAnswer, .unreadable, .damaged, .busy,
  ],
  run: { call in
    let path = call.arguments[0]
    let store = try StoreFiles.open(path)
    let configuration = try store.syncedConfiguration(path)
    var told: RecordExplanation
    do {
      told = try store.explainRecord(call.arguments[1], configuration)
    } catch let error as SyncError where error.code == .notFound {
      call.console.writeError("syncctl: \(error)\n")
      return .attention
    }
    if call.has("server"), let code = try ask(&told, configuration, call) { return code }
    if call.has("json") {
      try call.console.write(try told.json)
    } else {
      call.console.writeText(told.text)
    }
    return .ok
  })

/// Asks the server; gives the code of the call's end where it gave no answer that helps.
private func ask(
  _ told: inout RecordExplanation, _ configuration: SyncConfiguration, _ call: Invocation
) throws -> ExitCode? {
  let transport = try recordTransport(configuration, call)
  let before = told
  let answer = Blocking.run { () async -> Result<RecordExplanation, any Error> in
    var told = before
    do {
      try await told.ask(configuration, transport)
      return .success(told)
    } catch { return .failure(error) }
  }
  switch answer {
  case .success(let asked):
    told = asked
    return nil
  case .failure(let failure as RequestFailure):
    call.console.writeError("syncctl: \(failure.reason)\n")
    if case .signIn = RequestConsequence(failure) { return .credentials }
    return .attention
  case .failure(let failure as TransportFailure):
    call.console.writeError("syncctl: no answer: \(failure)\n")
    return .network
  case .failure(let error): throw error
  }
}

extension RecordExplanation {
  fileprivate var json: JSONValue {
    get throws {
      [
        "format": "contrail-explain-1", "recordName": .string(recordName),
        "recordType": .string(recordType), "object": .maybe(object),
        "standing": .maybe(standing), "local": try .fields(local), "base": try .fields(base),
        "tag": .maybe(tag), "modified": .maybe(modified), "clocks": .list(clocks.map(\.json)),
        "device": .string(device.shown), "changes": .list(try changes.map { try $0.json }),
        "waiting": .list(
          waiting.map { ["field": .string($0.field), "target": .string($0.target)] }),
        "files": .list(files.map(\.json)),
        "events": .list(try events.map { try $0.json }),
        "server": try server.map {
          [
            "exists": .truth($0.fields != nil), "fields": try .fields($0.fields),
            "tag": .maybe($0.tag), "modified": .maybe($0.modified),
          ]
        } ?? nil,
      ]
    }
  }

  fileprivate var text: String {
    var lines = ["\(recordType) \(recordName)"]
    lines.append("  \(object.map { "object \($0)" } ?? standing ?? "no object")")
    let time = modified.map { ", taken in \(Date(milliseconds: $0).shown)" } ?? ""
    lines.append(
      base == nil
        ? "  the server has confirmed nothing"
        : "  confirmed\(tag.map { " with tag \($0)" } ?? "")\(time)")
    if let server {
      let when = server.modified.map { ", taken in \(Date(milliseconds: $0).shown)" } ?? ""
      lines.append(
        server.fields == nil
          ? "  the server has no such record"
          : "  the server has tag \(server.tag ?? "–")\(when)")
    }
    lines += fieldLines
    lines += changes.flatMap(\.lines)
    lines += waiting.map { "  waits     \($0.field) for \($0.target)" }
    lines += files.map { file in
      let why = file.reason.map { "  \(file.code ?? ""): \($0)" } ?? ""
      return "  waits     for the file of \(file.field)\(why)"
    }
    lines += events.reversed().map { "  " + $0.text.dropLast() }
    return lines.joined(separator: "\n") + "\n"
  }

  /// One line for each field: what it is here, what was confirmed where that is another value, and when
  /// it was edited.
  private var fieldLines: [String] {
    let names = Set((local?.names ?? []) + (base?.names ?? []) + (server?.fields?.names ?? []))
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { name in
      let (here, confirmed) = (local?[name]?.value ?? .null, base?[name]?.value ?? .null)
      var line = "  \(name) = \(here.shown)"
      if base != nil && !here.isSame(as: confirmed) {
        line += "  confirmed \(confirmed.shown)"
      }
      if let server, !(server.fields?[name]?.value ?? .null).isSame(as: confirmed) {
        line += "  server \((server.fields?[name]?.value ?? .null).shown)"
      }
      if let clock = clock(of: name) { line += "  edited \(clock.shown(on: device))" }
      return line
    }
  }

  private func clock(of name: String) -> FieldClock? {
    let pending = changes.flatMap(\.edits).first { $0.field == name }
    let own = clocks.first { $0.field == name }
    return (pending ?? own ?? clocks.first { $0.field.isEmpty })?.clock
  }
}

extension RecordExplanation.Clock {
  fileprivate var json: JSONValue {
    [
      "field": field.isEmpty ? nil : .string(field),
      "time": .integer(clock.time.milliseconds), "device": .string(clock.device.shown),
    ]
  }
}

extension RecordExplanation.Change {
  fileprivate var json: JSONValue {
    get throws {
      [
        "state": .string(state), "kind": .string("\(kind)"), "edits": .list(edits.map(\.json)),
        "mayHaveArrived": .truth(mayHaveArrived), "attempts": .integer(Int64(attempts)),
        "code": .maybe(code), "reason": .maybe(reason), "time": .integer(time),
        "retry": retry > 0 ? .integer(retry) : nil, "kept": try .fields(kept),
      ]
    }
  }

  fileprivate var lines: [String] {
    let what = edits.isEmpty ? "" : " of \(edits.map(\.field).joined(separator: ", "))"
    let sent = mayHaveArrived ? ", may have arrived" : ""
    let tried = attempts > 0 ? ", \(counted(attempts, "attempt"))" : ""
    let why = [code, reason].compactMap { $0 }.joined(separator: ": ")
    return [
      "  \(state)   \(kind)\(what), made \(Date(milliseconds: time).shown)\(sent)\(tried)"
        + (why.isEmpty ? "" : "  \(why)")
    ]
  }
}

extension DeviceNumber {
  /// The number as people tell it apart.
  fileprivate var shown: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension FieldClock {
  fileprivate func shown(on device: DeviceNumber) -> String {
    let place =
      self.device == device
      ? "here" : self.device == .unknown ? "by who tells no device" : "on \(self.device.shown)"
    if time.milliseconds == 0 { return "before it was synced, \(place)" }
    return "\(Date(milliseconds: time.milliseconds).shown) \(place)"
  }
}

extension RecordValue {
  /// The value in one line.
  fileprivate var shown: String {
    switch self {
    case .null: "–"
    case .string(let text): text.oneLine
    case .int64(let value): String(value)
    case .timestamp(let value): Date(milliseconds: value).shown
    case .double(let value): String(value)
    case .bytes(let bytes): counted(bytes.count, "byte")
    case .asset(let asset):
      "a file of \(asset.size.map { counted(Int(clamping: $0), "byte") } ?? "unknown size")"
    default: "\(self)".oneLine
    }
  }
}

extension JSONValue {
  /// Fields as the wire spells them, or null.
  static func fields(_ fields: RecordFields?) throws -> JSONValue {
    guard let fields else { return nil }
    return try JSONValue(reading: try FieldBytes(fields).json)
  }
}
