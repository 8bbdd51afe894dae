import Contrail
import Testing

enum Season: String, Codable, CaseIterable, Comparable {
  case spring, summer, autumn, winter

  static func < (one: Self, other: Self) -> Bool {
    Self.allCases.firstIndex(of: one) ?? 0 < Self.allCases.firstIndex(of: other) ?? 0
  }
}

enum Weather: Codable, Equatable {
  case sun
  case rain(millimetres: Double)
}

enum Shade: Codable {
  case pale, dark
}

/// The ways in which an enumeration is a property.
@Model final class Garden {
  enum Soil: Int, Codable {
    case sand = 1
    case clay = 2
  }

  var season: Season
  var last: Season?
  var soil = Soil.sand
  var before: Garden.Soil = Garden.Soil.clay
  var shade: Shade
  var weather: Weather?
  var seasons: [Season] = []
  var seasonText: Season.RawValue = Season.spring.rawValue

  /// An enumeration behind its raw value.
  var named: Season {
    get { Season(rawValue: seasonText) ?? .spring }
    set { seasonText = newValue.rawValue }
  }

  init(season: Season = .summer, shade: Shade = .pale) {
    self.season = season
    self.shade = shade
  }
}

/// A type with a raw value that may be missing.
struct Score: RawRepresentable, Codable, Equatable {
  var rawValue: Int?

  init(rawValue: Int?) { self.rawValue = rawValue }

  init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(Int?.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

/// The same, which cannot be encoded.
struct Nickname: RawRepresentable, Equatable {
  var rawValue: String?
}

@Model final class Player {
  struct Best: Codable, Equatable {
    var score: Score
    var year: Int
  }

  var score = Score(rawValue: 1)
  var last: Score?
  var nickname: Nickname
  var best = Best(score: Score(rawValue: nil), year: 0)

  init(_ nickname: Nickname) { self.nickname = nickname }
}

/// An enumeration with associated values that has no default.
@Model final class Outlook {
  var weather: Weather

  init(_ weather: Weather) { self.weather = weather }
}

@Suite struct Enumerations {
  @Test func `An enumeration with associated values needs no default`() throws {
    let kept = try Kept(Outlook.self) { $0.insert(Outlook(.rain(millimetres: 2))) }
    #expect(try kept.one(Outlook.self).weather == .rain(millimetres: 2))
  }

  @Test
  func `Enumerations come back, with raw values, without, with associated ones, and in arrays`()
    throws
  {
    let kept = try Kept(Garden.self) { context in
      let garden = Garden(season: .winter, shade: .dark)
      garden.last = .autumn
      garden.soil = .clay
      garden.weather = .rain(millimetres: 2.5)
      garden.seasons = [.spring, .winter]
      garden.named = .autumn
      context.insert(garden)
    }
    let garden = try kept.one(Garden.self)
    #expect(garden.season == .winter)
    #expect(garden.last == .autumn)
    #expect(garden.soil == .clay)
    #expect(garden.before == .clay)
    #expect(garden.shade == .dark)
    #expect(garden.weather == .rain(millimetres: 2.5))
    #expect(garden.seasons == [.spring, .winter])
    #expect(garden.named == .autumn)
  }

  @Test func `An enumeration that was read is another one when its text is, whoever changed it`()
    throws
  {
    let container = try ModelContainer(
      for: Garden.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let garden = Garden(season: .winter)
    #expect(garden.season == .winter)
    context.insert(garden)
    try context.save()
    var seen = [garden.season, garden.season]
    garden.season = .spring
    seen.append(garden.season)
    context.rollback()
    seen.append(garden.season)
    garden.last = .autumn
    let before = garden.last
    garden.last = nil
    #expect(before == .autumn)
    #expect(garden.last == nil)
    try context.save()
    let other = ModelContext(container)
    try #require(try other.fetch(FetchDescriptor<Garden>()).first).season = .summer
    try other.save()
    _ = try context.fetch(FetchDescriptor<Garden>())
    seen.append(garden.season)
    #expect(seen == [.winter, .winter, .spring, .winter, .summer])
  }

  @Test func `A raw value that may be missing is kept, and so is that it is missing`() throws {
    let kept = try Kept(Player.self) { context in
      let player = Player(Nickname(rawValue: "Ace"))
      #expect(player.score == Score(rawValue: 1))
      player.score = Score(rawValue: 12)
      player.last = Score(rawValue: 3)
      player.best = Player.Best(score: Score(rawValue: 99), year: 1999)
      context.insert(player)
    }
    let player = try kept.one(Player.self)
    #expect(player.score == Score(rawValue: 12))
    #expect(player.last == Score(rawValue: 3))
    #expect(player.nickname == Nickname(rawValue: "Ace"))
    #expect(player.best == Player.Best(score: Score(rawValue: 99), year: 1999))
    player.score = Score(rawValue: nil)
    player.last = nil
    player.nickname = Nickname(rawValue: nil)
    player.best.score = Score(rawValue: nil)
    try kept.context.save()
    let read = try #require(
      try ModelContext(kept.container).fetch(FetchDescriptor<Player>()).first)
    #expect(read.score == Score(rawValue: nil))
    #expect(read.last == nil)
    #expect(read.nickname == Nickname(rawValue: nil))
    #expect(read.best == Player.Best(score: Score(rawValue: nil), year: 1999))
  }

  @Test func `An enumeration's default is there before anything is set`() throws {
    let kept = try Kept(Garden.self) { $0.insert(Garden()) }
    let garden = try kept.one(Garden.self)
    #expect(garden.season == .summer)
    #expect(garden.last == nil)
    #expect(garden.soil == .sand)
    #expect(garden.weather == nil)
    #expect(garden.seasons == [])
    #expect(garden.named == .spring)
  }

  @Test func `A fetch compares an enumeration with a captured value`() throws {
    let kept = try Kept(Garden.self) { context in
      for season in Season.allCases { context.insert(Garden(season: season)) }
    }
    let wanted = Season.autumn
    let found = try kept.context.fetch(
      FetchDescriptor<Garden>(predicate: #Predicate { $0.season == wanted }))
    #expect(found.map(\.season) == [.autumn])
  }
}
