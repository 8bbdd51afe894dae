import RecordWire

/// A pull of a whole zone through `changes/zone`.
enum FeedWork {
  static func run(_ runner: Runner, _ bench: ServerBench) throws {
    let name = "pull of a zone, pages of 200"
    guard runner.wants(name) else { return }
    let server = try bench.server.get()
    let pull = try Pull(of: bench.filledZone(), bench)
    let nginx = try FileServer(in: bench.path("nginx-pages"), files: pull.answers)
    let path = server.path("private", "changes/zone")
    let ours = Requests(pull.requests.map { Requests.post(path, $0) })
    let floor = Requests(pull.answers.indices.map { Requests.get("/files/\($0)") })
    let bytes = pull.answers.reduce(0) { $0 + $1.count }
    // Ticks of the processor's clock are coarse: one pull would be a few of them.
    let rounds = 20
    try runner.alternate(
      ServerRow(
        name: name, item: "records", figure: .processor,
        bytesEach: Double(bytes) / Double(pull.recordCount),
        note: "\(pull.recordCount) records, \(pull.answers.count) pages one after the other on one "
          + "connection; the floor is nginx with the same bytes as files",
        ours: { _ in
          try .of(server.process, items: rounds * pull.recordCount) {
            try (0..<rounds).reduce(0) { sum, _ in try sum + ours.play(to: server.port) }
          }
        },
        floor: { _ in
          try .of(nginx.process, items: rounds * pull.recordCount) {
            try (0..<rounds).reduce(0) { sum, _ in try sum + floor.play(to: nginx.port) }
          }
        }), peakMB: { server.process.peakMB })
  }
}

/// The requests of a pull and their answers, which are the same as long as nobody writes.
struct Pull {
  private(set) var requests: [[UInt8]] = []
  private(set) var answers: [[UInt8]] = []
  private(set) var recordCount = 0

  init(of zone: ZoneIdentity, _ bench: ServerBench) throws {
    var (token, isMoreComing): (String?, Bool) = (nil, true)
    while isMoreComing {
      let request = try ZoneChangesRequest(zones: [
        RecordChangesRequest(zone: zone, syncToken: token)
      ]).json()
      let answer = try bench.ask("private", "changes/zone", request)
      guard case .page(_, let page)? = try ZoneChangesResponse(json: answer).zones.first else {
        throw BenchFailure("the zone cannot be pulled")
      }
      requests.append(request)
      answers.append(answer)
      recordCount += page.records.count
      (token, isMoreComing) = (page.syncToken, page.isMoreComing)
    }
  }
}
