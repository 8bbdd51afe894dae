import ChildPrograms
import Foundation
import Testing

/// What the verbs around a sync print and end with where no record server is needed, or none is there.
@Suite(.timeLimit(.minutes(5))) struct SyncVerbTests {
  private let folder: ToolFolder

  /// Nobody answers there.
  private static let nowhere = "http://127.0.0.1:1"
  private static let tokens = "--api-token program --user-token user"

  init() throws {
    folder = try ToolFolder()
    try folder.write(Self.schema(rule: "union"), to: "note.json")
  }

  /// Notes, whose texts are merged by a rule.
  private static func schema(rule: String) -> String {
    """
    {
      "contrail": 1, "kind": "objects",
      "entities": {
        "Note": {
          "attributes": {
            "text": {"type": "string", "default": "", "userInfo": {"contrail.merge": "\(rule)"}}
          }
        }
      }
    }
    """
  }

  /// Makes an empty store that is set up for sync with nobody.
  private func makeStore(_ name: String, container: String = "old") throws {
    try folder.output(
      "syncctl init \(name) --schema note.json --server \(Self.nowhere) --container \(container)")
  }

  private func move(
    _ store: String, to target: String
  ) throws -> (end: ChildProgram.End, text: String) {
    try folder.run(
      "syncctl migrate-container \(store) --container new --to \(target) \(Self.tokens)")
  }

  @Test func `a store is not moved onto itself, by whatever name, and stays as it is`() throws {
    try makeStore("log.sqlite")
    try folder.output("ln -s log.sqlite link.sqlite; ln log.sqlite hard.sqlite")
    let status = try folder.output("syncctl status log.sqlite")
    #expect(status.contains("old · production"))
    for name in ["log.sqlite", "./log.sqlite", "link.sqlite", "hard.sqlite"] {
      let run = try move("log.sqlite", to: name)
      #expect(run.end == .code(2))
      #expect(
        run.text == """
          syncctl: error: \(name) is the store itself, which stays as it is
            fix  name another file: --to FILE

          """)
    }
    #expect(try folder.output("syncctl status log.sqlite") == status)
  }

  @Test func `a store that is there, and was not made by the move, is left alone`() throws {
    try makeStore("log.sqlite")
    try makeStore("other.sqlite", container: "another")
    // A backup has all that the original has, and is to stay one.
    try folder.output("cp log.sqlite backup.sqlite")
    for (name, container) in [("other.sqlite", "another"), ("backup.sqlite", "old")] {
      let run = try move("log.sqlite", to: name)
      #expect(run.end == .code(2))
      #expect(
        run.text == """
          syncctl: error: \(name) is there, and is no copy of log.sqlite for new
            fix  name a file that is not there: --to FILE

          """)
      #expect(try folder.output("syncctl status \(name)").contains("\(container) · production"))
    }
  }

  @Test func `a store is not moved to the container that it is synced with`() throws {
    try makeStore("log.sqlite")
    let run = try folder.run(
      "syncctl migrate-container log.sqlite --container old --to new.sqlite \(Self.tokens)")
    #expect(run.end == .code(2))
    #expect(run.text.hasPrefix("syncctl: error: log.sqlite is synced with old already\n"))
    #expect(try !folder.names().contains("new.sqlite"))
  }

  @Test func `a move is cut where no server answers, and goes on with its own copy`() throws {
    try makeStore("log.sqlite")
    #expect(try move("log.sqlite", to: "new.sqlite").end == .code(14))
    let again = "timeout 3 syncctl migrate-container log.sqlite --container new --to new.sqlite"
    #expect(try folder.run("\(again) \(Self.tokens)").end == .code(124))
    let copy = try folder.run("syncctl status new.sqlite").text
    #expect(copy.contains("new · production"))
    #expect(try folder.output("syncctl status log.sqlite").contains("old · production"))
    // What it was made of is another store than one that is made anew under the name of the first.
    try folder.output("rm log.sqlite*")
    try makeStore("log.sqlite")
    #expect(try move("log.sqlite", to: "new.sqlite").end == .code(2))
  }

  @Test func `a store with unsent changes is not moved, and the code says that they are pending`()
    throws
  {
    try folder.output("store-maker log sqlite log.sqlite")
    try folder.output("syncctl init log.sqlite --server \(Self.nowhere) --container old")
    let run = try move("log.sqlite", to: "new.sqlite")
    #expect(run.end == .code(11))
    #expect(
      run.text == """
        syncctl: error: the store: has changes that its container does not have yet \
        [pendingChanges]
          fix  sync it first

        """)
    #expect(try folder.names().filter { $0.hasPrefix("new.sqlite") } == [])
  }

  @Test func `a schema that became unfit for sync is told with its own code by every verb`() throws
  {
    try makeStore("log.sqlite")
    try folder.write(Self.schema(rule: "sum"), to: "unfit.json")
    try folder.output("syncctl migrate log.sqlite --to unfit.json --no-backup")
    for verb in ["sync", "push", "pull", "verify"] {
      let run = try folder.run("syncctl \(verb) log.sqlite \(Self.tokens)")
      #expect(run.end == .code(13))
      #expect(
        run.text == """
          the schema cannot be synced (profile native) [unsyncableSchema]
            Note.text: names the merge rule "sum", which there is not; rules: lastEdit, server, \
          client, counter, union, minimum, maximum

          """)
    }
    // The doctor goes on to what else may be wrong.
    let told = try folder.run("syncctl doctor log.sqlite \(Self.tokens)")
    #expect(told.end == .code(10))
    #expect(told.text.contains("unsyncableSchema") && told.text.contains("gives no answer"))
  }

  @Test func `a promotion says by its code that no server answers, or that it refuses the token`()
    throws
  {
    try makeStore("log.sqlite")
    #expect(try folder.run("syncctl promote log.sqlite --token writer").end == .code(14))
    let refused = try folder.run(
      """
      with-server sh -c 'syncctl init own.sqlite --schema note.json \
      --server http://127.0.0.1:8080 --container notes && syncctl promote own.sqlite --token wrong'
      """)
    #expect(refused.end == .code(12), "\(refused.text)")
    #expect(refused.text.contains("AUTHENTICATION_FAILED"))
  }

  @Test func `set-up, decisions and lists are told as JSON, too`() throws {
    let set = try folder.output(
      """
      syncctl init log.sqlite --schema note.json --server \(Self.nowhere) --container old \
      --environment development --json
      """)
    #expect(
      set == """
        {
          "format": "contrail-init-1",
          "file": "log.sqlite",
          "server": "http://127.0.0.1:1",
          "container": "old",
          "environment": "development",
          "zone": "Contrail",
          "profile": "native"
        }

        """)
    let nothing = """
      {
        "format": "contrail-resolve-1",
        "trouble": null,
        "message": null,
        "policy": null
      }

      """
    #expect(try folder.output("syncctl resolve log.sqlite --json") == nothing)
    #expect(try folder.output("syncctl resolve log.sqlite reupload --json") == nothing)
    for action in ["retry", "recreate", "discard"] {
      #expect(
        try folder.output("syncctl failed log.sqlite \(action) --json") == """
          {
            "format": "contrail-failed-action-1",
            "action": "\(action)",
            "count": 0,
            "left": 0
          }

          """)
    }
  }

  @Test(.enabled("python3-jsonschema is not installed") { ToolFolder.canValidate })
  func `the JSON Schemas describe what is told without a server`() throws {
    let at = "--server \(Self.nowhere) --container old"
    let calls = [
      ("contrail-init-1", "init log.sqlite --schema note.json \(at)"),
      ("contrail-resolve-1", "resolve log.sqlite"), ("contrail-failed-1", "failed log.sqlite"),
      ("contrail-failed-action-1", "failed log.sqlite discard"),
    ]
    for (schema, call) in calls {
      let printed = try folder.output("syncctl \(call) --json")
      #expect(try folder.problems(in: printed, schema) == "")
    }
  }

  @Test(.enabled("python3 is not installed") { ToolFolder.hasPython })
  func `a server that answers nonsense asks for attention, and is no mistake of the call`() throws {
    try folder.write(Self.nonsense, to: "nonsense.py")
    let run = try folder.run(
      """
      python3 nonsense.py >port 2>log & server=$!
      trap "kill $server" EXIT
      until [ -s port ]; do sleep 0.05; done
      syncctl init log.sqlite --schema note.json --container old \
        --server http://127.0.0.1:$(cat port) >init
      syncctl sync log.sqlite \(Self.tokens)
      """)
    #expect(run.end == .code(10))
    #expect(
      run.text.hasPrefix("syncctl: error: changes/zone: answers nothing of the zone [badAnswer]\n"),
      "\(run.text)")
  }

  /// A server that tells who asks, and nothing of the zone that it is asked about.
  private static let nonsense = """
    from http.server import BaseHTTPRequestHandler, HTTPServer

    class Nonsense(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            body = b'{"userRecordName": "_ann", "zones": []}'
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST

    server = HTTPServer(("127.0.0.1", 0), Nonsense)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  @Test func `watching where no server answers says so once, and ends with the code for that`()
    throws
  {
    try makeStore("log.sqlite")
    // Long enough to try more than once.
    let run = try folder.run(
      """
      syncctl sync log.sqlite --watch \(Self.tokens) >out 2>err & watcher=$!
      until grep -q "no answer" err; do sleep 0.05; done
      sleep 3
      kill -TERM $watcher
      wait $watcher
      """)
    #expect(run.end == .code(14))
    let said = try folder.output("cat out err")
    #expect(said.hasPrefix("syncctl: no answer, it is tried again: "))
    #expect(said.split(separator: "\n").count == 1)
  }
}
