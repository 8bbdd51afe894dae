import CommandKit
import RecordServer

let containerAddCommand = Command(
  "container", "add",
  summary: "Make a container; a running server serves it after SIGHUP.",
  arguments: [.init("NAME", "its name, such as iCloud.org.example.notes")],
  options: [.data, .config],
  examples: [.init("recordd container add iCloud.org.example.notes", "room for another app")],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    let name = call.arguments[0]
    if try work.folder.containerNames().contains(name) {
      call.console.writeText("\(name) is there already\n")
      return .ok
    }
    try work.folder.makeContainer(name)
    call.console.writeText("made \(name); tell a running server: kill -HUP PID\n")
    return .ok
  })

let containerListCommand = Command(
  "container", "list",
  summary: "List the containers.",
  options: [.data, .config, .json],
  examples: [
    .init("recordd container list --data /srv/contrail", "which apps have their records here?")
  ],
  exits: [.done, .unusable],
  run: { call in
    let work = try Administration(call)
    let names = try work.folder.containerNames()
    try Listing(keys: ["container"], rows: names.map { [$0] }).print(call)
    return .ok
  })
