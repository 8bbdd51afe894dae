import CommandKit
import JSONStream
import ObjectStore
import SyncClient
import SyncCore

let verifyCommand = Command(
  "verify",
  summary: "Prove that a store and its server have the same, or list what differs.",
  discussion: """
    What the server confirmed is compared with what it has, by digests where it knows them, and with the
    objects here, less what is pending, parked or failed. --repair takes in what the server has, sends
    again what it lacks, and sends objects that differ; nothing is deleted, and it can be repeated.
    """,
  arguments: [.init("STORE", "an SQLite store that syncctl init has set up")],
  options: [.flag("repair", "put right what differs, by adding only")]
    + Command.Option.userCredentials + [.json],
  examples: [
    .init("syncctl verify log.sqlite", "is everything the same?"),
    .init("syncctl verify log.sqlite --repair", "then: syncctl sync log.sqlite"),
  ],
  exits: [
    .init(.ok, "equal, or everything that differed was put right"),
    .init(.attention, "something differs"), .unsyncable, .refusedCredentials, .noAnswer,
    .unreadable, .damaged, .busy,
  ],
  run: { call in
    let file = try SyncedStoreFile(call.arguments[0])
    let configuration = try file.configuration()
    let engine = try SyncEngine(
      file.store, configuration, transport: try file.transport(configuration, call))
    let repairs = call.has("repair")
    let found = try Blocking.run { () async -> Result<SyncVerification, any Error> in
      do { return .success(try await engine.verify(repair: repairs)) } catch {
        return .failure(error)
      }
    }.get()
    if call.has("json") {
      try call.console.write(found.json)
    } else {
      call.console.writeText(found.text(file.path))
    }
    if let complaint = found.outcome.complaint {
      call.console.writeError("syncctl: \(complaint)\n")
    }
    return found.exitCode
  })

extension SyncVerification {
  fileprivate var exitCode: ExitCode {
    switch outcome {
    case .signIn: .credentials
    case .unreachable: .network
    case .complete: isEqual || isRepaired ? .ok : .attention
    default: .attention
    }
  }

  /// Whether nothing is left to be put right.
  private var isRepaired: Bool { sumsAgree && repaired == differenceCount }

  fileprivate var json: JSONValue {
    [
      "format": "contrail-verify-1", "equal": .truth(isEqual),
      "message": .maybe(outcome.complaint),
      "method": .string(method.rawValue), "records": .integer(Int64(records)),
      "serverRecords": .integer(Int64(serverRecords)), "objects": .integer(Int64(objects)),
      "changing": .integer(Int64(changing)), "held": .integer(Int64(held)),
      "sumsAgree": .truth(sumsAgree), "differences": .integer(Int64(differenceCount)),
      "repaired": .integer(Int64(repaired)), "calls": .integer(Int64(calls)),
      "list": .list(differences.map(\.json)),
    ]
  }

  fileprivate func text(_ path: String) -> String {
    guard outcome == .complete else { return "not everything was compared\n" }
    let how = method == .digests ? "by digests" : "by reading all, since it has no digests"
    let left = changing > 0 ? ", \(changing) not: pending, parked or failed" : ""
    let raw = held > 0 ? ", \(held) kept for a later version" : ""
    var lines = [
      isEqual ? "equal" : "\(counted(differenceCount, "difference"))",
      "  server    \(counted(serverRecords, "record")), \(how), \(counted(calls, "request"))",
      "  here      \(counted(records, "record")), \(counted(objects, "object")) compared\(left)\(raw)",
    ]
    if !sumsAgree { lines.append("  the sums of digests that are kept here are wrong") }
    lines += differences.map(\.text)
    if differenceCount > differences.count {
      lines.append("  and \(differenceCount - differences.count) more")
    }
    if repaired > 0 {
      lines.append("\(repaired) put right; what is to be sent goes with: syncctl sync \(path)")
    } else if !isEqual {
      lines.append("to put it right, by adding only: syncctl verify \(path) --repair")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension SyncVerification.Difference {
  fileprivate var json: JSONValue {
    [
      "kind": .string(kind.rawValue), "recordName": .string(recordName),
      "recordType": .string(recordType), "fields": .list(fields),
      "repaired": .truth(isRepaired),
    ]
  }

  fileprivate var text: String {
    let names = fields.isEmpty ? "" : ": \(fields.joined(separator: ", "))"
    let done = isRepaired ? "  (put right)" : ""
    let type = recordType.isEmpty ? "" : "\(recordType) "
    return "  \(type)\(recordName)  \(kind.words)\(names)\(done)"
  }
}

extension SyncVerification.Difference.Kind {
  fileprivate var words: String {
    switch self {
    case .missingHere: "is on the server and not known here"
    case .missingThere: "was confirmed, and the server lacks it"
    case .different: "differs from what the server confirmed"
    case .objectMissing: "has lost its object here"
    case .objectDiffers: "has an object with other values here"
    case .objectUnsent: "is here, and nobody sent it"
    }
  }
}
