import DataModel
import ObjectStore
import RecordWire
import SyncCore
import Synchronization
import Testing

@testable import SyncClient

/// How much one request and one transaction have.
@Suite struct BatchTests {
  let hall = RecordHall()
  let ann: Device

  init() throws { ann = try Device(1, hall, schema: TwoDevicesTests.schema) }

  /// What was asked of the server, in order.
  private final class Asked: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func note(_ text: String) { list.withLock { $0.append(text) } }
  }

  /// The tails that pushes send, and the bytes that pulls ask for; the first push and the first pull that
  /// `loses` names get no answer.
  private func watch(losing lost: [String] = []) -> Asked {
    let asked = Asked()
    let (push, pull) = (Once(), Once())
    hall.setGate { call in
      switch call.path {
      case "records/modify":
        let operations = (try? ModifyRequest(json: call.body))?.operations ?? []
        let tails = operations.compactMap { operation in
          (try? operation.record.allFields())?["tail"]?.value.shown.prefix(2)
        }
        asked.note("push " + tails.joined(separator: " "))
        return lost.contains("push") && push.first() ? .loseRequest : .pass
      case "changes/zone":
        let options = (try? ZoneChangesRequest(json: call.body))?.zones.first?.options
        asked.note("pull \(options?.pageBytes ?? 0)")
        return lost.contains("pull") && pull.first() ? .loseRequest : .pass
      default: return .pass
      }
    }
    return asked
  }

  /// Makes entries in one transaction; each has so many bytes.
  private func insert(_ tails: String..., bytes: Int = 2) throws {
    try ann.edit { context in
      for tail in tails {
        let text = tail + String(repeating: ".", count: bytes - 2)
        try context.insert("Entry").setValue("tail", .string(text))
      }
    }
  }

  @Test func `a push without an answer is half as large the next time, and grows back`()
    async throws
  {
    try await ann.sync()
    _ = try await ann.carryOut(.schema)
    ann.session.batchSize = BatchSize(limit: 8)
    for number in 10..<30 { try insert("\(number)") }
    let asked = watch(losing: ["push"])
    try await ann.sync()
    let counts = asked.all.filter { $0.hasPrefix("push") }.map {
      $0.split(separator: " ").count - 1
    }
    #expect(counts == [8, 4, 4, 5, 6, 1])
    #expect(ann.session.batchSize.currentBytes == BatchSize.bytesMax)
    #expect(try ann.bases().count == 20)
  }

  @Test func `a page without an answer is half as large the next time, and grows back`()
    async throws
  {
    try await ann.sync()
    let asked = watch(losing: ["pull"])
    for _ in 0..<2 { try await ann.sync() }
    #expect(asked.all == [1 << 20, 1 << 19, 1 << 20].map { "pull \($0)" })
  }
}
