import Contrail
import Foundation
import Testing

@Suite("The notification of a save")
struct SaveNotificationTests {
  /// What was told, as a whole, for as long as it is kept.
  ///
  /// `@unchecked Sendable`: a notification is posted on the thread that saves, which is the test's.
  private final class Heard: @unchecked Sendable {
    var told: [[AnyHashable: Any]] = []
    var then: () throws -> Void = {}

    /// How many identifiers each notification has, and which transaction it is of.
    var lines: [String] { told.map(Self.line) }

    private static func line(_ info: [AnyHashable: Any]) -> String {
      func value(_ key: ModelContext.NotificationKey) -> Any? { info[key.rawValue] }
      func count(_ key: ModelContext.NotificationKey) -> String {
        (value(key) as? [PersistentIdentifier]).map { "\($0.count)" } ?? "none"
      }
      let transaction = value(.queryGeneration).map { "\($0)" } ?? "none"
      let isAll = value(.invalidatedAllIdentifiers).map { "\($0)" } ?? "none"
      return "\(transaction): +\(count(.insertedIdentifiers)) ~\(count(.updatedIdentifiers))"
        + " -\(count(.deletedIdentifiers)), all: \(isAll)"
    }
  }

  private func listening(
    to context: ModelContext, _ body: (Heard) throws -> Void
  ) throws {
    let heard = Heard()
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { note in
      heard.told.append(note.userInfo ?? [:])
      #expect(throws: Never.self) { try heard.then() }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try body(heard)
  }

  @Test func `one that is kept tells of its own save after later ones`() throws {
    let context = ModelContext(try memory(Trip.self))
    try listening(to: context) { heard in
      let (rome, oslo) = (Trip(name: "Rome"), Trip(name: "Oslo"))
      context.insert(rome)
      context.insert(oslo)
      try context.save()
      rome.destination = "Italy"
      try context.save()
      context.delete(oslo)
      try context.save()
      #expect(
        heard.lines == [
          "1: +2 ~0 -0, all: false", "2: +0 ~1 -0, all: false", "3: +0 ~0 -1, all: false",
        ])
    }
  }

  @Test func `one whose listener saves again tells of the first save`() throws {
    let context = ModelContext(try memory(Trip.self))
    try listening(to: context) { heard in
      heard.then = {
        heard.then = {}
        context.insert(Trip(name: "Oslo"))
        context.insert(Trip(name: "Riga"))
        try context.save()
      }
      context.insert(Trip(name: "Rome"))
      try context.save()
      #expect(heard.lines == ["1: +1 ~0 -0, all: false", "2: +2 ~0 -0, all: false"])
    }
  }
}
