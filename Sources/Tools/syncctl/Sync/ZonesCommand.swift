import CommandKit
import JSONStream
import RecordWire
import SyncClient

let zonesCommand = Command(
  "zones",
  summary: "List the zones of the private database that a store is synced with.",
  discussion: """
    The one that holds the store's records is marked. The public database is not mirrored: records in it
    are asked for by queries.
    """,
  arguments: [.init("STORE", "an SQLite store that syncctl init has set up")],
  options: Command.Option.userCredentials + [.json],
  examples: [.init("syncctl zones log.sqlite", "what else is in the account?")],
  exits: [
    .done, .refusedCredentials, .noAnswer, .unreadable, .damaged,
  ],
  run: { call in
    let path = call.arguments[0]
    let configuration = try StoreFiles.open(path).syncedConfiguration(path)
    let questions = ServerQuestions(transport: try recordTransport(configuration, call))
    let zones: [RecordZone]
    do {
      let body = try questions.ask(
        SyncCall("zones/list", in: .database(.private), method: .get))
      zones = try ZonesResponse(json: body).zones.compactMap { result in
        if case .zone(let zone) = result { zone } else { nil }
      }
    } catch let failure as RequestFailure {
      call.console.writeError("syncctl: \(failure)\n")
      return failure.isAboutCredentials ? .credentials : .attention
    } catch let failure as TransportFailure {
      call.console.writeError("syncctl: no answer: \(failure)\n")
      return .network
    }
    try show(zones, of: configuration, call)
    return .ok
  })

private func show(
  _ zones: [RecordZone], of configuration: SyncConfiguration, _ call: Invocation
) throws {
  let own = configuration.zone.name
  let names = zones.map(\.zone.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  if call.has("json") {
    return try call.console.write([
      "format": "contrail-zones-1", "zone": .string(own),
      "zones": .list(names.map { .string($0) }),
    ])
  }
  for name in names {
    call.console.writeText("\(name)\(name == own ? "  \u{2190} the store's" : "")\n")
  }
  if !names.contains(own) {
    call.console.writeText("the store's own, \(own), is not there: the next sync makes it\n")
  }
}

extension RequestFailure {
  /// Whether the server wants other credentials.
  var isAboutCredentials: Bool { code == .authenticationFailed || code == .authenticationRequired }
}
