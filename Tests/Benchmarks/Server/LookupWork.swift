import RecordWire

/// `records/lookup` of one record, as an app without a user asks for it.
enum LookupWork {
  static func run(_ runner: Runner, _ bench: ServerBench) throws {
    let name = "lookup of one record, with an API token"
    guard runner.wants(name) else { return }
    let server = try bench.server.get()
    let saves = try ServerRecords.saves(1, in: .defaultZone)
    _ = try bench.ask("public", "records/modify", saves[0])
    let path = server.path("public", "records/lookup", asUser: false)
    let body = try LookupRequest(records: [.init(recordName: ServerRecords.name(0))]).json()
    let answer = try Requests.ask(server, Requests.post(path, body))
    let nginx = try FileServer(in: bench.path("nginx-answer"), answer: answer)
    let load = Load(folder: bench.path("recordd"), seconds: bench.loadSeconds)
    try runner.alternate(
      ServerRow(
        name: name, item: "requests", target: 2.5,
        note:
          "\(Load.connections) connections, one event loop, the log at warnings; the floor is nginx "
          + "with the same \(answer.count) bytes out of its memory",
        ours: { _ in try load.run(server.process, server.port, path, body) },
        floor: { _ in try load.run(nginx.process, nginx.port, "/answer", body) }),
      peakMB: { server.process.peakMB })
  }
}
