import Contrail
import Testing

/// A value that is written and never read.
struct Seal: Codable, Equatable {
  struct Broken: Error {}

  var code: Int

  init(code: Int) { self.code = code }
  init(from decoder: any Decoder) throws { throw Broken() }
}

@Model final class Envelope {
  var seal: Seal

  init(seal: Seal) { self.seal = seal }
}

@Model final class Parchment {
  var seal = Seal(code: 1)

  init() {}
}

/// Types that decode themselves from lists of a fixed length, or from names.
@Model final class Opening {
  var hours: ClosedRange<Date>
  var days: Range<Int>
  var pause: Duration
  var place: CGRect
  var corner: CGPoint
  var zone: TimeZone
  var calendar: Calendar
  var stops: [ClosedRange<Int>] = []

  init(hours: ClosedRange<Date>, zone: TimeZone) {
    self.hours = hours
    self.zone = zone
    days = 1..<6
    pause = .milliseconds(1500)
    place = CGRect(x: 1, y: 2, width: 3, height: 4)
    corner = CGPoint(x: 5, y: 6)
    calendar = Calendar(identifier: .iso8601)
  }
}

enum Seals: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Envelope.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
}

enum SealsGone: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Parchment.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
}

enum SealsPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [Seals.self, SealsGone.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: Seals.self, toVersion: SealsGone.self)]
  }
}

@Suite struct UnreadableValues {
  @Test func `Ranges, durations, rectangles and time zones need no defaults`() throws {
    let hours = Date(timeIntervalSinceReferenceDate: 1)...Date(timeIntervalSinceReferenceDate: 2)
    let zone = try #require(TimeZone(secondsFromGMT: 3600))
    let kept = try Kept(Opening.self) { context in
      let opening = Opening(hours: hours, zone: zone)
      opening.stops = [1...2, 3...3]
      context.insert(opening)
    }
    let opening = try kept.one(Opening.self)
    #expect(opening.hours == hours)
    #expect(opening.days == 1..<6)
    #expect(opening.pause == .milliseconds(1500))
    #expect(opening.place == CGRect(x: 1, y: 2, width: 3, height: 4))
    #expect(opening.corner == CGPoint(x: 5, y: 6))
    #expect(opening.zone == zone)
    #expect(opening.calendar.identifier == .iso8601)
    #expect(opening.stops == [1...2, 3...3])
  }

  @Test func `So is one of an earlier version, whose models stages read`() {
    let error = #expect(throws: StoreError.self) {
      try ModelContainer(
        for: Schema(versionedSchema: SealsGone.self), migrationPlan: SealsPlan.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    #expect(error?.code == .invalidSchema)
    #expect(error?.subject == "Envelope.seal")
  }

  @Test func `A class with a type of which no value can be made is refused by a container`() {
    let error = #expect(throws: StoreError.self) { try Kept(Envelope.self) { _ in } }
    #expect(error?.code == .invalidSchema)
    #expect(error?.subject == "Envelope.seal")
  }

  @Test func `A model that is in no container keeps what it was given`() {
    let envelope = Envelope(seal: Seal(code: 7))
    #expect(envelope.seal.code == 7)
    envelope.seal = Seal(code: 8)
    #expect(envelope.seal.code == 8)
  }

  @Test func `The declared value stands for one that cannot be read`() throws {
    let kept = try Kept(Parchment.self) { $0.insert(Parchment()) }
    #expect(try kept.one(Parchment.self).seal == Seal(code: 1))
  }
}
