import DataModel
import FoundationEssentials

/// Makes names for records: the time, so that names made one after the other lie together in every index,
/// and random bits from a source that a test or a simulation seeds.
struct RecordNaming {
  var random: any RandomNumberGenerator

  init(random: any RandomNumberGenerator) { self.random = random }

  mutating func next(at time: Date) -> String {
    RecordName(at: time, random: (random.next(), random.next())).text
  }
}
