import Contrail
import Foundation
import Testing

/// Initializers of every shape in one class.
@Model final class Parcel {
  private(set) var code: String
  var weight: Double
  var labels: [String] = []
  var sentAt: Date?
  var size = "small"

  init(code: String, weight: Double = 1, sentAt: Date? = nil) {
    self.code = code
    self.weight = weight
    self.sentAt = sentAt
  }

  /// Assigns without `self`, decides, loops, and calls a method of the object.
  init(grams: Int, labelled names: [String]) {
    code = "g\(grams)"
    if grams > 1000 {
      weight = Double(grams) / 1000
      size = "large"
    } else {
      weight = 0
    }
    for name in names { labels.append(name) }
    addLabel("checked")
  }

  convenience init(copying other: Parcel) {
    self.init(code: other.code + "'", weight: other.weight)
    labels = other.labels
  }

  init?(text: String) {
    guard let weight = Double(text) else { return nil }
    self.code = text
    self.weight = weight
  }

  init(checking code: String) throws(Refused) {
    if code.isEmpty { throw Refused() }
    self.code = code
    self.weight = 0
  }

  struct Refused: Error {}

  func addLabel(_ label: String) { labels.append(label) }
}

/// A model that is decoded and encoded.
@Model final class Contact: Codable, Identifiable {
  enum CodingKeys: String, CodingKey {
    case id, name
    case phones = "phone_numbers"
  }

  @Attribute(.unique) var id: Int
  var name: String
  var phones: [String]

  init(id: Int, name: String, phones: [String] = []) {
    self.id = id
    self.name = name
    self.phones = phones
  }

  required init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(Int.self, forKey: .id)
    name = try values.decode(String.self, forKey: .name)
    phones = try values.decodeIfPresent([String].self, forKey: .phones) ?? []
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(name, forKey: .name)
    try values.encode(phones, forKey: .phones)
  }
}

@Suite struct Initializers {
  @Test func `Objects of every initializer are kept`() throws {
    let kept = try Kept(Parcel.self) { context in
      let first = Parcel(code: "a", weight: 2)
      context.insert(first)
      context.insert(Parcel(grams: 2500, labelled: ["fragile"]))
      context.insert(Parcel(grams: 10, labelled: []))
      context.insert(Parcel(copying: first))
      context.insert(try #require(Parcel(text: "4.5")))
      context.insert(try Parcel(checking: "ok"))
    }
    let parcels = try kept.all(Parcel.self).sorted { $0.code < $1.code }
    #expect(parcels.map(\.code) == ["4.5", "a", "a'", "g10", "g2500", "ok"])
    #expect(parcels.map(\.weight) == [4.5, 2, 2, 0, 2.5, 0])
    #expect(parcels.map(\.labels) == [[], [], [], ["checked"], ["fragile", "checked"], []])
    #expect(parcels.map(\.size) == ["small", "small", "small", "small", "large", "small"])
  }

  @Test func `An initializer that fails or throws leaves nothing`() throws {
    let kept = try Kept(Parcel.self) { context in
      #expect(Parcel(text: "heavy") == nil)
      #expect(throws: Parcel.Refused.self) { try Parcel(checking: "") }
    }
    #expect(try kept.all(Parcel.self).isEmpty)
  }

  @Test func `A decoded model is kept, and encodes to what it was decoded from`() throws {
    let text = #"{"id":7,"name":"Ada","phone_numbers":["1","2"]}"#
    let kept = try Kept(Contact.self) { context in
      context.insert(try JSONDecoder().decode(Contact.self, from: Data(text.utf8)))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let encoded = try encoder.encode(try kept.one(Contact.self))
    #expect(String(decoding: encoded, as: UTF8.self) == text)
  }
}
