import RecordWire

/// `records/lookup` of one record, each time another, as an app without a user asks for it.
enum LookupWork {
  /// From how many records each request takes the next one, so that no cache of answers is measured.
  private static let recordCount = 10_000

  /// More than of other rows: it is the shortest work, and most at the mercy of who else uses the machine.
  private static let runCount = 11

  static func run(_ runner: Runner, _ bench: ServerBench) throws {
    let name = "lookup of one record, with an API token"
    guard runner.wants(name) else { return }
    let server = try bench.server.get()
    for body in try ServerRecords.saves(recordCount, in: .defaultZone) {
      _ = try bench.ask("public", "records/modify", body)
    }
    let path = server.path("public", "records/lookup", asUser: false)
    let bodies = try shuffledNumbers().map { number in
      try LookupRequest(records: [.init(recordName: ServerRecords.name(number))]).json()
    }
    let answer = try Requests.ask(server, Requests.post(path, bodies[0]))
    let nginx = try FileServer(in: bench.path("nginx-answer"), answer: answer)
    let load = Load(folder: bench.path("recordd"), seconds: bench.loadSeconds)
    try runner.alternate(
      ServerRow(
        name: name, item: "requests", target: 2.5,
        note:
          "\(Load.connections) connections, \(recordCount) records, one event loop, the log at "
          + "warnings; the floor is nginx with the same \(answer.count) bytes out of its memory",
        runCount: runCount,
        ours: { _ in try load.run(server.process, server.port, path, bodies) },
        floor: { _ in try load.run(nginx.process, nginx.port, "/answer", bodies) }),
      peakMB: { server.process.peakMB })
  }

  /// The numbers of all records in an order that is the same each time.
  private static func shuffledNumbers() -> [Int] {
    var random = SplitMix(state: 1)
    var numbers = Array(0..<recordCount)
    numbers.shuffle(using: &random)
    return numbers
  }
}
