import Contrail
import Testing

/// What is in a note besides its text; one key says which of the others there are.
enum Attachment: Codable, Equatable {
  case none
  case link(String)

  private enum Kind: String, Codable { case none, link }
  private enum CodingKeys: CodingKey { case kind, link }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    switch try values.decode(Kind.self, forKey: .kind) {
    case .none: self = .none
    case .link: self = .link(try values.decode(String.self, forKey: .link))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .none: try values.encode(Kind.none, forKey: .kind)
    case .link(let address):
      try values.encode(Kind.link, forKey: .kind)
      try values.encode(address, forKey: .link)
    }
  }
}

/// A place that is a name or a pair of numbers, as a structure.
struct Spot: Codable, Equatable {
  var name: String
  var latitude: Double?

  private enum CodingKeys: CodingKey { case name, latitude }

  init(name: String, latitude: Double? = nil) {
    self.name = name
    self.latitude = latitude
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decode(String.self, forKey: .name)
    latitude = name.hasPrefix("at") ? try values.decode(Double.self, forKey: .latitude) : nil
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    if let latitude { try values.encode(latitude, forKey: .latitude) }
  }
}

/// Writes a key that it never reads.
struct Stamp: Codable, Equatable {
  var number: Int

  private enum CodingKeys: CodingKey { case number, version }

  init(number: Int) { self.number = number }

  init(from decoder: any Decoder) throws {
    number = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(number, forKey: .number)
    try values.encode("v2", forKey: .version)
  }
}

/// Keys with other names, in another order than the properties.
struct Frame: Codable, Equatable {
  var width: Int
  var title: String?
  var inner: Span

  private enum CodingKeys: String, CodingKey {
    case inner
    case title = "shown_title"
    case width
  }
}

/// A value that can be made, and now and then not written.
struct Fickle: Codable, Equatable {
  struct Unready: Error {}

  var number: Int

  init(number: Int) { self.number = number }
  init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(Int.self)
  }

  func encode(to encoder: any Encoder) throws {
    if number < 0 { throw Unready() }
    var value = encoder.singleValueContainer()
    try value.encode(number)
  }
}

@Model final class Memo {
  var attachment: Attachment
  var other: Attachment?
  var spot: Spot
  var stamp: Stamp
  var frame: Frame

  init(_ attachment: Attachment, spot: Spot = Spot(name: "")) {
    self.attachment = attachment
    self.spot = spot
    stamp = Stamp(number: 3)
    frame = Frame(width: 2, title: nil, inner: Span(from: 1, to: nil))
  }
}

@Model final class Mood {
  var value: Fickle

  init(_ value: Fickle) { self.value = value }
}

@Suite struct OwnCodings {
  @Test func `Types that code themselves come back whole, whichever case they have`() throws {
    let spot = Spot(name: "at sea", latitude: 1.5)
    let kept = try Kept(Memo.self) { context in
      let memo = Memo(.link("swift.org"), spot: spot)
      memo.frame.title = "window"
      context.insert(memo)
      context.insert(Memo(.none))
    }
    let memos = try kept.all(Memo.self)
    let link = try #require(memos.first { $0.attachment == .link("swift.org") })
    let plain = try #require(memos.first { $0.attachment == .none })
    #expect(memos.count == 2)
    #expect(link.other == nil)
    #expect(link.spot == spot)
    #expect(plain.spot == Spot(name: ""))
    #expect(link.stamp == Stamp(number: 3))
    #expect(link.frame == Frame(width: 2, title: "window", inner: Span(from: 1, to: nil)))
    link.other = .link("two")
    try kept.context.save()
    let again = ModelContext(kept.container)
    #expect(try again.fetch(FetchDescriptor<Memo>()).compactMap(\.other) == [.link("two")])
  }

  @Test func `Only what has one shape lies in columns of its own`() throws {
    let container = try ModelContainer(
      for: Memo.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    // What SQL cannot be asked is refused here.
    try context.delete(model: Memo.self, where: #Predicate { $0.frame.width > 1 })
    #expect(throws: StoreError.self) {
      try context.delete(model: Memo.self, where: #Predicate { $0.stamp.number > 1 })
    }
    #expect(throws: StoreError.self) {
      try context.delete(model: Memo.self, where: #Predicate { $0.spot.name == "" })
    }
  }

  @Test func `A value that a new model was given and cannot be written keeps it from being saved`()
    throws
  {
    let container = try ModelContainer(
      for: Mood.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let mood = Mood(Fickle(number: -1))
    context.insert(mood)
    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .unwritableValue)
    #expect(error?.subject == "Mood.value")
    mood.value = Fickle(number: 7)
    try context.save()
    #expect(
      try ModelContext(container).fetch(FetchDescriptor<Mood>()).map(\.value.number) == [7])
    let settled = Mood(Fickle(number: -1))
    settled.value = Fickle(number: 8)
    context.insert(settled)
    try context.save()
    let batch = #expect(throws: StoreError.self) {
      try context.insertBatch([Mood(Fickle(number: -1))])
    }
    #expect(batch.map { "\($0)".contains("unwritableValue") } == true)
    #expect(try context.fetchCount(FetchDescriptor<Mood>()) == 2)
  }
}
