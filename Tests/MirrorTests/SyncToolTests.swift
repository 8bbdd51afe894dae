import ChildPrograms
import Contrail
import Testing

/// The verbs of the tool that need a real server.
@Suite(.timeLimit(.minutes(5))) struct SyncToolTests {
  let daemon: RecordDaemon
  let log: ToolStore

  init() throws {
    daemon = try RecordDaemon()
    log = try ToolStore("log.sqlite", daemon)
  }

  @Test func `a sync tells as JSON all that its code may come from`() throws {
    try log.edit("insert", "LogEntry", "tailNumber=N1")
    let run = try log.tool("sync", at: daemon, "--json")
    #expect(run.end == .code(0))
    #expect(
      run.text == """
        {
          "format": "contrail-sync-1",
          "complete": true,
          "message": null,
          "pushed": 1,
          "pulled": 0,
          "merged": 0,
          "pending": 0,
          "parked": 0,
          "failed": 0,
          "awaitedFiles": 0,
          "missingFiles": 0,
          "trouble": null
        }

        """)
    #expect(try log.problems(in: run.text, "contrail-sync-1") == "")
  }

  @Test func `what verbs print as JSON is as its schema says, with and without trouble`() throws {
    try expectSchemas()
    let sent = try log.edit("insert", "LogEntry", "tailNumber=N1")
    // No record can hold a number that is not finite.
    let failed = try log.edit("insert", "LogEntry", "tailNumber=N2", "duration=inf")
    #expect(try log.tool("sync", at: daemon).end == .code(10))
    try log.edit("set", "LogEntry", sent, "tailNumber=N3")
    try expectSchemas(of: [sent, failed])
    daemon.end()
    #expect(try log.tool("sync", at: daemon).end == .code(14))
    let status = try log.tool("status", "--json").text
    #expect(status.contains("\"kind\": \"unreachable\""))
    #expect(try log.problems(in: status, "contrail-status-1") == "")
    #expect(try log.tool("status").text.contains(" s ago, no answer: "))
  }

  /// The server is asked, too, where there are objects.
  private func expectSchemas(of keys: [String] = []) throws {
    var runs = [
      ("status", try log.tool("status", "--json")), ("log", try log.tool("log", "--json")),
    ]
    for key in keys {
      runs.append(("explain", try log.tool("explain", "LogEntry/\(key)", "--json")))
    }
    if let key = keys.first {
      for verb in ["verify", "zones", "doctor"] {
        runs.append((verb, try log.tool(verb, at: daemon, "--json")))
      }
      let words = ["LogEntry/\(key)", "--server", "--json"]
      runs.append(("explain", try log.tool("explain", at: daemon, words[0], words[1], words[2])))
    }
    for (verb, run) in runs {
      #expect(try log.problems(in: run.text, "contrail-\(verb)-1") == "", "\(verb): \(run.text)")
    }
  }

  @Test func `what failed is exported with what its object has, all of it or by name`() throws {
    let keys = try ["first", "second"].map { notes in
      // No record can hold a number that is not finite.
      try log.edit("insert", "LogEntry", "notes=\(notes)", "duration=inf")
    }
    #expect(try log.tool("sync", at: daemon).end == .code(10))
    let all = try log.failures("export")
    #expect(all.map(\.object) == keys.map { "LogEntry/\($0)" })
    #expect(all.map(\.kind) == ["create", "create"])
    #expect(all.map(\.notes) == ["first", "second"])
    let text = try log.tool("failed", "export").text
    #expect(try log.problems(in: text, "contrail-failed-1") == "")

    #expect(try log.failures("export", all[1].recordName) == [all[1]])
    #expect(try log.failures("list", all[0].recordName, "--json") == [all[0]])
    for action in ["list", "export", "retry", "discard"] {
      let refused = try log.tool("failed", action, all[0].recordName, "nobody")
      #expect(refused.end == .code(2))
      #expect(refused.text.contains("nothing of a record \"nobody\" has failed"))
    }

    let given = try log.tool("failed", "discard", all[0].recordName, "--json")
    #expect(
      given.text == """
        {
          "format": "contrail-failed-action-1",
          "action": "discard",
          "count": 1,
          "left": 0
        }

        """)
    #expect(try log.failures("--json") == [all[1]])
  }

  @Test func `a store is moved to another server, also where a process was killed at it`() throws {
    try log.edit("fill", "LogEntry", "20", "tailNumber=N#")
    #expect(try log.tool("sync", at: daemon).end == .code(0))
    let new = try RecordDaemon()
    // What is left where the copy has not been given its name yet: it says nothing of a move.
    let (target, unfinished) = (daemon.folder.path("new.sqlite"), "new.sqlite.moving")
    try FileManager.default.copyItem(
      atPath: daemon.folder.path("log.sqlite"), toPath: daemon.folder.path(unfinished))
    for _ in 0..<2 {
      let run = try log.tool(
        "migrate-container", at: new, "--server", new.url, "--container", RecordDaemon.container,
        "--to", target, "--json")
      #expect(run.end == .code(0), "\(run.text)")
      #expect(run.text.contains("\"equal\": true,\n  \"records\": 20\n"), "\(run.text)")
      #expect(try log.problems(in: run.text, "contrail-migrate-container-1") == "")
    }
    #expect(!FileManager.default.fileExists(atPath: daemon.folder.path(unfinished)))

    // Both go on, each with its own server.
    #expect(try log.tool("verify", at: daemon).end == .code(0))
    #expect(try log.tool("status").text.contains(daemon.url))
    // What was moved to one place is not moved on to another by the way.
    let other = try log.tool(
      "migrate-container", at: new, "--container", "org.example.other", "--to", target)
    #expect(other.end == .code(2))
    #expect(other.text.contains("is no copy of log.sqlite for org.example.other"))
  }

  @Test func `who watches hears that the server went, and that it is back`() throws {
    let watcher = try Watcher(log)
    try watcher.wait(for: "pushed 0")
    daemon.end()
    try log.edit("insert", "LogEntry", "tailNumber=N1")
    try watcher.wait(for: "syncctl: no answer, it is tried again: ")
    try daemon.begin()
    try watcher.wait(for: "syncctl: the server answers again\n")
    try watcher.wait(for: "pushed 1")
    #expect(try watcher.end() == .code(0))
    #expect(watcher.errors.split(separator: "\n").count == 2, "\(watcher.errors)")
  }

  @Test func `who watches while the server is gone ends with the code for that`() throws {
    let watcher = try Watcher(log)
    try watcher.wait(for: "pushed 0")
    daemon.end()
    try log.edit("insert", "LogEntry", "tailNumber=N1")
    try watcher.wait(for: "no answer")
    #expect(try watcher.end() == .code(14))
  }
}
