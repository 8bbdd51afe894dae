// Two devices of one pilot, and a record server between them. ./run starts the server and this.

import Contrail

guard let server = ProcessInfo.processInfo.environment["FLIGHTLOG_SERVER"] else {
  print("FLIGHTLOG_SERVER does not say where a record server is: ./run starts one")
  exit(2)
}
let folder = FileManager.default.temporaryDirectory.appending(path: "flightlog-\(UUID())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

// Who the program and the user are is in the environment: CONTRAIL_API_TOKEN and CONTRAIL_USER_TOKEN.
let target = SyncTarget.recordServer(
  server, container: "contrail.local", environment: .development)
let phone = try Device("phone", in: folder, target)
let tablet = try Device("tablet", in: folder, target)

print("A flight is entered on the phone, and comes to the tablet.")
try phone.edit { context in
  let ann = Pilot(name: "Ann")
  context.insert(ann)
  ann.entries.append(LogEntry(tailNumber: "N628TS", flightTime: 0.4))
}
try await phone.sync()
try await tablet.sync()
try tablet.show()

print("Both are offline, and both edit it.")
try phone.edit { try $0.entry("N628TS")?.flightTime = 0.6 }
try tablet.edit { try $0.entry("N628TS")?.remarks = "low clouds" }
try phone.show()
try tablet.show()

print("They meet again: each property has the edit that it got.")
for device in [phone, tablet, phone] { try await device.sync() }
try phone.show()
try tablet.show()

print("From now on they mirror by themselves: what is entered on the tablet shows on the phone.")
await phone.engine.start()
await tablet.engine.start()
let states = phone.engine.states
try tablet.edit { context in
  let entry = LogEntry(tailNumber: "D-EABC", flightTime: 1.5)
  context.insert(entry)
  entry.pilot = try context.fetch(FetchDescriptor<Pilot>()).first
}
for await state in states where state.records == 3 && state.isIdle { break }
try phone.show()
await phone.engine.stop()
await tablet.engine.stop()
