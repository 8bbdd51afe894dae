// swift-format-ignore-file: NeverForceUnwrap
// Predicates may unwrap by force, and what becomes of that is tested here.
import Foundation
import PredicateSQL

/// Predicates on entries, each with values drawn anew.
enum EntryPredicates {
  typealias Template = @Sendable (inout Values) -> Predicate<Entry>

  static let all: [Template] = scalars + texts + optionals + relationships + reckoning

  static let scalars: [Template] = [
    { v in
      let x = v.real(); return #Predicate { $0.hours == x }
    },
    { v in
      let x = v.real(); return #Predicate { $0.hours != x }
    },
    { v in
      let x = v.real(); return #Predicate { $0.hours < x }
    },
    { v in
      let x = v.real(); return #Predicate { $0.hours <= x }
    },
    { v in
      let x = v.real(); return #Predicate { $0.hours > x }
    },
    { v in
      let x = v.real(); return #Predicate { !($0.hours >= x) }
    },
    { v in
      let x: Double? = v.real(); return #Predicate { $0.fuel == x }
    },
    { v in
      let x: Double? = v.maybe(v.real()); return #Predicate { $0.fuel != x }
    },
    { _ in #Predicate { $0.fuel == $0.fuel } },
    { _ in #Predicate { ($0.fuel ?? 1) != $0.hours } },
    { _ in #Predicate { $0.hours == $0.hours } },
    { _ in #Predicate { $0.hours <= $0.hours } },
    { v in
      let x = v.date(); return #Predicate { $0.date > x }
    },
    { v in
      let x = v.date(); return #Predicate { $0.date == x || $0.date < x }
    },
    { _ in #Predicate { $0.landed! == $0.date } },
    { _ in #Predicate { ($0.landed ?? $0.date) >= $0.date } },
    { v in
      let x = v.small(); return #Predicate { $0.seats == x }
    },
    { v in
      let x = v.small(); return #Predicate { !($0.seats <= x) }
    },
    { v in
      let x = v.maybe(v.int()); return #Predicate { $0.legs == x }
    },
    { v in
      let x = v.maybe(v.int()); return #Predicate { !($0.legs == x) }
    },
    { _ in #Predicate { $0.night } },
    { _ in #Predicate { !$0.night && $0.solo == nil } },
    { _ in #Predicate { $0.solo == true } },
    { _ in #Predicate { $0.solo != true } },
    { _ in #Predicate { $0.solo ?? $0.night } },
    { _ in #Predicate { !($0.solo ?? false) } },
    { _ in #Predicate { ($0.solo ?? true) == $0.night } },
    { v in
      let x = v.decimal(); return #Predicate { $0.price == x }
    },
    { v in
      let x = v.decimal(); return #Predicate { $0.price < x }
    },
    { v in
      let x = v.decimal(); return #Predicate { $0.price >= x }
    },
    { v in
      let x = v.uuid(); return #Predicate { $0.mark == x }
    },
    { v in
      let x = v.url(); return #Predicate { $0.page == x }
    },
    { v in
      let x = v.url(); return #Predicate { $0.page != x }
    },
    { v in
      let x = v.pick(Mood.allCases); return #Predicate { $0.mood == x }
    },
    { v in
      let x = v.pick(Mood.allCases).rawValue; return #Predicate { $0.mood.rawValue != x }
    },
    { v in
      let x = v.small(); return #Predicate { $0.place.height > x }
    },
    { v in
      let x = [v.small(), v.small()]; return #Predicate { x.contains($0.seats) }
    },
    { v in
      let x = [v.real(), v.real(), v.real()]; return #Predicate { x.contains($0.hours) }
    },
    { v in
      let x = [v.maybe(v.int()), v.maybe(v.int())]
      return #Predicate { x.contains($0.legs) }
    },
    { v in
      let x = [v.maybe(v.int()), v.maybe(v.int())]
      return #Predicate { !x.contains($0.legs) }
    },
    { v in
      let x = v.small(); return #Predicate { (x..<(x + 3)).contains($0.seats) }
    },
    { v in
      let x = v.small(); let r = x...(x + 3); return #Predicate { r.contains($0.seats) }
    },
    { v in
      let x = v.real(); return #Predicate { ($0.night ? $0.hours : x) > 1 }
    },
    { v in
      let x = [v.small(), v.small()]; return #Predicate { e in x.allSatisfy { $0 < e.seats } }
    },
    { _ in #Predicate { $0 is NightEntry } },
    { v in
      let x = v.small(); return #Predicate { ($0 as? NightEntry)?.lamps == x }
    },
    { v in
      let x = v.small(); return #Predicate { (($0 as? NightEntry)?.lamps ?? x) > 1 }
    },
  ]

  static let texts: [Template] = [
    { v in
      let x = v.text(); return #Predicate { $0.tail == x }
    },
    { v in
      let x = v.text(); return #Predicate { $0.tail != x }
    },
    { v in
      let x = v.text(); return #Predicate { $0.remarks == x }
    },
    { v in
      let x: String? = v.maybe(v.text()); return #Predicate { $0.remarks != x }
    },
    { _ in #Predicate { ($0.remarks ?? "") == $0.tail } },
    { v in
      let x = v.text().precomposedStringWithCanonicalMapping
      return #Predicate { $0.tail < x }
    },
    { v in
      let x = v.text().precomposedStringWithCanonicalMapping
      return #Predicate { $0.tail >= x }
    },
    { v in
      let x = v.text(); return #Predicate { $0.tail.contains(x) }
    },
    { v in
      let x = v.text(); return #Predicate { !$0.tail.contains(x) }
    },
    { v in
      let x = v.text(); return #Predicate { $0.tail.starts(with: x) }
    },
    { v in
      let x = v.text(); return #Predicate { ($0.remarks ?? "x").contains(x) }
    },
    { v in
      let x = v.text(); return #Predicate { $0.remarks?.contains(x) ?? true }
    },
    { v in
      let x = v.text(); return #Predicate { $0.remarks?.starts(with: x) == true }
    },
    { v in
      let x = v.text(); return #Predicate { $0.tail.localizedStandardContains(x) }
    },
    { v in
      let x = v.text()
      return #Predicate { $0.remarks?.localizedStandardContains(x) ?? false }
    },
    { v in
      let x = v.small(); return #Predicate { $0.tail.count == x }
    },
    { v in
      let x = v.small(); return #Predicate { ($0.remarks?.count ?? 1) > x }
    },
    { _ in #Predicate { $0.tail.isEmpty } },
    { _ in #Predicate { $0.remarks?.isEmpty ?? false } },
    { v in
      let x = v.text()
      let same = ComparisonResult.orderedSame
      return #Predicate { $0.tail.caseInsensitiveCompare(x) == same }
    },
    { v in
      let x = v.text()
      let before = ComparisonResult.orderedAscending
      return #Predicate { $0.tail.localizedCompare(x) == before }
    },
    { v in
      let x = [v.text(), v.text()]; return #Predicate { x.contains($0.tail) }
    },
    { v in
      let x = [v.maybe(v.text())]; return #Predicate { x.contains($0.remarks) }
    },
    { v in
      let x = v.text(); return #Predicate { $0.place.street == x }
    },
  ]

  static let optionals: [Template] = [
    { v in
      let x = v.int()
      return #Predicate { if let legs = $0.legs { legs > x } else { true } }
    },
    { v in
      let x = v.text(); return #Predicate { $0.remarks != nil && $0.remarks! == x }
    },
    { _ in #Predicate { $0.remarks == nil || $0.remarks!.count > 1 } },
    { _ in #Predicate { !($0.remarks == nil || $0.remarks!.count > 1) } },
    { _ in #Predicate { $0.legs! > 0 } },
    { v in
      let x = v.small(); return #Predicate { $0.night || $0.legs! > x }
    },
    { _ in #Predicate { ($0.legs == nil ? 0 : $0.legs!) >= 0 && $0.seats > 0 } },
  ]

  static let relationships: [Template] = [
    { _ in #Predicate { $0.pilot == nil } },
    { _ in #Predicate { $0.pilot != nil } },
    { v in
      let x = v.text(); return #Predicate { $0.pilot?.name == x }
    },
    { v in
      let x = v.text(); return #Predicate { $0.pilot?.name != x }
    },
    { v in
      let x = v.maybe(v.text()); return #Predicate { $0.pilot?.nick == x }
    },
    { v in
      let x = v.maybe(v.text()); return #Predicate { $0.pilot?.chief?.nick == x }
    },
    { _ in #Predicate { $0.pilot?.chief == nil } },
    { v in
      let x = v.small(); return #Predicate { ($0.pilot?.age ?? x) > 2 }
    },
    { v in
      let x = v.small(); return #Predicate { $0.pilot!.age > x }
    },
    { v in
      let x = v.small(); return #Predicate { $0.pilot.flatMap { $0.age > x } ?? true }
    },
    { v in
      let x = v.text()
      return #Predicate {
        if let p = $0.pilot { p.name.contains(x) || p.nick == nil } else { false }
      }
    },
    { v in
      let x = Pilot(Int64(v.pick([1, 2, 9])), name: "").id
      return #Predicate { $0.pilot?.id == x }
    },
    { v in
      let x = v.text(); return #Predicate { $0.tags.contains { $0.word == x } }
    },
    { v in
      let x = v.text(); return #Predicate { $0.tags.allSatisfy { $0.word != x } }
    },
    { v in
      let x = v.text(); return #Predicate { !$0.tags.contains { $0.word.contains(x) } }
    },
    { v in
      let x = v.small(); return #Predicate { $0.tags.count > x }
    },
    { _ in #Predicate { $0.tags.isEmpty } },
    { v in
      let x = v.small()
      return #Predicate { $0.tags.filter { $0.word.count > 1 }.count == x }
    },
    { _ in #Predicate { $0.pilot?.entries.contains { $0.night } ?? false } },
    { _ in #Predicate { e in e.pilot?.entries.allSatisfy { $0.hours >= e.hours } ?? true } },
    { _ in #Predicate { e in e.tags.contains { $0.word == e.tail } } },
    { v in
      let x = v.small()
      return #Predicate { e in e.pilot?.entries.contains { $0.legs! > x } ?? false }
    },
    { _ in
      #Predicate { e in
        (e.pilot?.entries.filter { $0.tags.contains { $0.word == e.tail } }.isEmpty) == false
      }
    },
  ]

  // NB: Foundation traps when it divides by zero.
  static let reckoning: [Template] = [
    { v in
      let x = v.small(); return #Predicate { $0.seats + x > 3 }
    },
    { v in
      let x = v.small(); return #Predicate { $0.seats * x - 2 == $0.place.height }
    },
    { v in
      let x = v.pick([1, 2, -3]); return #Predicate { $0.seats / x == 2 }
    },
    { v in
      let x = v.small(); return #Predicate { $0.seats == 0 || 7 % $0.seats == x }
    },
    { v in
      let x = v.small(); return #Predicate { -$0.seats < x }
    },
    { v in
      let x = v.small(); return #Predicate { $0.seats != 0 && 10 / $0.seats > x }
    },
    { v in
      let x = v.real(); return #Predicate { $0.hours + x > 1 }
    },
    { v in
      let x = v.real(); return #Predicate { $0.hours * x == $0.hours }
    },
    { v in
      let x = v.real(); return #Predicate { $0.hours / x >= 0 }
    },
    { v in
      let x = v.real(); return #Predicate { -$0.hours - x != 0 }
    },
    { v in
      let x = v.decimal(); return #Predicate { $0.price * x > $0.price + x }
    },
    { v in
      let x = [v.small(), v.small()]; return #Predicate { x.max()! == $0.seats }
    },
  ]
}
