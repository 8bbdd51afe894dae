import DataModel
import Foundation
import PredicateSQL
import Testing

func shown<Object>(_ predicate: Predicate<Object>) -> String {
  let translation = QueryTranslation(predicate, names: names)
  let problems = translation.problems.map { "[\($0.code)]" }.joined()
  return "\(translation.expression?.description ?? "-")\(problems)"
}

/// The condition as SQL, with values in place.
func sql<Object>(_ predicate: Predicate<Object>, entity: String = "Pilot") throws -> String {
  let translation = QueryTranslation(predicate, names: names)
  guard let expression = translation.expression, translation.isComplete else {
    return "\(translation.problems)"
  }
  let fragment = try SQLQuery(flightLog, entity: entity).condition(expression)
  return fragment.sql + " | " + fragment.values.map(\.shown).joined(separator: ", ")
}

struct TranslationTests {
  @Test func `comparisons and logic are translated`() {
    let ann = "Ann"
    #expect(shown(#Predicate<Pilot> { $0.name == ann }) == #"(self.name == "Ann")"#)
    #expect(
      shown(#Predicate<Pilot> { $0.age > 3 && ($0.age <= 9 || !($0.name != ann)) })
        == #"((self.age > 3) && ((self.age <= 9) || !(self.name != "Ann")))"#)
    #expect(shown(#Predicate<Pilot> { $0.nick == nil }) == "(self.nick == null)")
    #expect(
      shown(#Predicate<Pilot> { ($0.nick ?? "x") == ann }) == #"((self.nick ?? "x") == "Ann")"#)
    #expect(
      shown(#Predicate<Pilot> { $0.chief?.name == ann })
        == #"(self.chief.flatMap { v1 in v1.name } == "Ann")"#)
    #expect(
      shown(#Predicate<Pilot> { if let nick = $0.nick { nick.contains("q") } else { false } })
        == #"(self.nick.flatMap { v1 in v1.contains("q") } ?? false)"#)
    #expect(shown(#Predicate<Pilot> { $0.nick!.isEmpty }) == "self.nick!.isEmpty")
    #expect(
      shown(#Predicate<Pilot> { $0.age + 2 * $0.age / 3 % 4 - -$0.age > 1 })
        == "(((self.age + (((2 * self.age) / 3) % 4)) - -self.age) > 1)")
    #expect(
      shown(#Predicate<Pilot> { ($0.age > 3 ? $0.age : 7) == 7 })
        == "(((self.age > 3) ? self.age : 7) == 7)")
  }

  @Test func `collections are translated`() {
    let list = [1, 2]
    #expect(shown(#Predicate<Pilot> { list.contains($0.age) }) == "[1, 2].contains(self.age)")
    #expect(shown(#Predicate<Pilot> { (1..<3).contains($0.age) }) == "(1..<3).contains(self.age)")
    let range = 1...3
    #expect(shown(#Predicate<Pilot> { range.contains($0.age) }) == "(1...3).contains(self.age)")
    #expect(
      shown(#Predicate<Pilot> { $0.entries.contains { $0.seats > 2 } })
        == "self.entries.contains { v1 in (v1.seats > 2) }")
    #expect(
      shown(
        #Predicate<Pilot> { pilot in
          pilot.entries.allSatisfy { e in e.tags.contains { $0.word == pilot.name } }
        }) == "self.entries.allSatisfy { v1 in v1.tags.contains { v2 in (v2.word == self.name) } }")
    #expect(
      shown(#Predicate<Pilot> { $0.entries.filter { $0.night }.count > 2 })
        == "(self.entries.filter { v1 in v1.night }.count > 2)")
    #expect(shown(#Predicate<Pilot> { $0.entries.isEmpty }) == "self.entries.isEmpty")
    #expect(shown(#Predicate<Pilot> { $0.name.count == 2 }) == "(self.name.count == 2)")
    #expect(shown(#Predicate<Pilot> { $0.name.starts(with: "a") }) == #"self.name.begins("a")"#)
  }

  @Test func `what Linux lacks is supplied`() throws {
    let query = "SANDW"
    let predicate = #Predicate<Pilot> { $0.name.localizedStandardContains(query) }
    #expect(shown(predicate) == #"self.name.contains[cd]("SANDW")"#)
    #expect(try predicate.evaluate(Pilot(1, name: "a Sándwich")))
    let same = ComparisonResult.orderedSame
    let alike = #Predicate<Pilot> { $0.name.caseInsensitiveCompare(query) == same }
    #expect(shown(alike) == #"(self.name.order[c]("SANDW") == 0)"#)
    #expect(try alike.evaluate(Pilot(1, name: "sandw")))
    let before = ComparisonResult.orderedAscending
    #expect(
      shown(#Predicate<Pilot> { $0.name.localizedCompare(query) == before })
        == #"(self.name.order("SANDW") == -1)"#)
  }

  @Test func `types, composites, enumerations and identities are translated`() {
    let mood = Mood.rough
    let ann = Pilot(7, name: "Ann")
    let id = ann.id
    #expect(shown(#Predicate<Entry> { $0 is NightEntry }) == "(self is NightEntry)")
    #expect(
      shown(#Predicate<Entry> { ($0 as? NightEntry)?.lamps == 2 })
        == "((self as? NightEntry).flatMap { v1 in v1.lamps } == 2)")
    #expect(shown(#Predicate<Entry> { $0.mood == mood }) == #"(self.mood == "rough")"#)
    #expect(shown(#Predicate<Entry> { $0.mood.rawValue == "calm" }) == #"(self.mood == "calm")"#)
    #expect(shown(#Predicate<Entry> { $0.place.height > 3 }) == "(self.place.height > 3)")
    #expect(
      shown(#Predicate<Entry> { $0.pilot?.id == id })
        == "(self.pilot.flatMap { v1 in v1 } == \(id))")
    #expect(shown(#Predicate<Entry> { $0.pilot == nil }) == "(self.pilot == null)")
  }

  @Test func `what cannot be translated is named, and the rest is`() {
    #expect(
      shown(#Predicate<Entry> { $0.seats > 3 && $0.key == 3 && $0.night })
        == "((self.seats > 3) && self.night)[unknownKeyPath]")
    let other = ["a": 1]
    #expect(shown(#Predicate<Entry> { other["a"] == $0.legs }) == "(1 == self.legs)")
  }

  @Test func `predicates are put together`() throws {
    let both = allOf([
      #Predicate<Pilot> { $0.age > 3 }, #Predicate<Pilot> { $0.name == "x" },
      negated(#Predicate<Pilot> { $0.nick == nil }),
    ])
    #expect(shown(both) == #"((self.age > 3) && (self.name == "x") && !(self.nick == null))"#)
    #expect(try both.evaluate(Pilot(1, name: "x", nick: "n", age: 4)))
    #expect(try !both.evaluate(Pilot(1, name: "x", age: 4)))
    let either = anyOf([#Predicate<Pilot> { $0.age > 3 }, #Predicate<Pilot> { $0.name == "x" }])
    #expect(try either.evaluate(Pilot(1, name: "x", age: 1)))
  }

  @Test func `a key path of a generic parameter is unknown, never a trap`() {
    func older<Thing: Aged>(_: Thing.Type) -> Predicate<Thing> { #Predicate { $0.age > 3 } }
    #expect(shown(older(Pilot.self)) == "-[unknownKeyPath]")
  }
}

protocol Aged { var age: Int { get } }
extension Pilot: Aged {}
