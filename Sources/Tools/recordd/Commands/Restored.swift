import CommandKit
import RecordServer
import RecordServerHTTP

let restoredCommand = Command(
  "restored",
  summary: "Say that the data folder was put back from a backup, before it is served again.",
  discussion: """
    Devices may have read what the backup does not have. After this command their tokens have expired: each
    reads everything again, sees that the server was restored, and does what its program has chosen for that,
    or asks: to send again what the server lost, to keep it, or to delete it. Without the command, a server that
    has grown beyond a device's token again leaves out what that device lacks, and only a verification finds it.
    """,
  options: [
    .data, .config,
    .values("container", "NAME", "only this container; may be given several times"),
  ],
  examples: [.init("recordd restored --data /srv/contrail", "after the backup was copied back")],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    try work.folder.lock()
    let all = try work.folder.containerNames()
    let wanted = call.values("container")
    if let unknown = wanted.first(where: { !all.contains($0) }) {
      throw UsageError(
        "there is no container \"\(unknown)\"", fix: "one of \(all.joined(separator: ", "))")
    }
    let salt = UInt64.random(in: .min ... .max)
    for name in wanted.isEmpty ? all : wanted {
      for environment in SchemaEnvironment.allCases {
        let records = try work.folder.storage(name, environment).records
        try Waiting.run { try await records.write { try $0.renewEpochs(salt: salt) } }
      }
      call.console.writeText("\(name): devices read everything again when they sync next\n")
    }
    return .ok
  })
