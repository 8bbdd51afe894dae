import Contrail
import Foundation
import Testing

/// Each plain type that a property can have, once needed and once optional.
@Model final class Reading {
  var flag: Bool
  var int: Int
  var int8: Int8
  var int16: Int16
  var int32: Int32
  var int64: Int64
  var uint: UInt
  var uint8: UInt8
  var uint16: UInt16
  var uint32: UInt32
  var uint64: UInt64
  var float: Float
  var double: Double
  var seconds: TimeInterval
  var text: String
  var day: Date
  var bytes: Data
  var key: UUID
  var place: URL
  var price: Decimal

  init(scale: Int) {
    flag = scale > 0
    int = -scale
    int8 = Int8(scale)
    int16 = Int16(scale)
    int32 = Int32(scale)
    int64 = Int64.max - Int64(scale)
    uint = UInt(scale)
    uint8 = UInt8(scale)
    uint16 = UInt16(scale)
    uint32 = UInt32(scale)
    uint64 = UInt64(scale)
    float = Float(scale) / 2
    double = Double(scale) / 4
    seconds = TimeInterval(scale * 60)
    text = "scale \(scale)"
    day = Date(timeIntervalSinceReferenceDate: TimeInterval(scale))
    bytes = Data([UInt8(scale)])
    key = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(scale)))
    place = URL(filePath: "/scales/\(scale)")
    price = Decimal(scale) / 100
  }

  /// Each value as a text, in the order of the declarations.
  var values: [String] {
    [
      "\(flag)", "\(int)", "\(int8)", "\(int16)", "\(int32)", "\(int64)", "\(uint)", "\(uint8)",
      "\(uint16)", "\(uint32)", "\(uint64)", "\(float)", "\(double)", "\(seconds)", text,
      "\(day.timeIntervalSinceReferenceDate)", "\(Array(bytes))", "\(key)", place.path(),
      "\(price)",
    ]
  }
}

/// The plain types as optionals, all with nothing in them at first.
@Model final class OptionalReading {
  var flag: Bool?
  var int: Int?
  var int8: Int8?
  var int16: Int16?
  var int32: Int32?
  var int64: Int64?
  var uint: UInt?
  var uint8: UInt8?
  var uint16: UInt16?
  var uint32: UInt32?
  var uint64: UInt64?
  var float: Float?
  var double: Double?
  var text: String?
  var day: Date?
  var bytes: Data?
  var key: UUID?
  var place: URL?
  var price: Decimal?
  var spelledOut: Optional<String>

  init() {}

  var values: [String?] {
    [
      flag.map { "\($0)" }, int.map { "\($0)" }, int8.map { "\($0)" }, int16.map { "\($0)" },
      int32.map { "\($0)" }, int64.map { "\($0)" }, uint.map { "\($0)" }, uint8.map { "\($0)" },
      uint16.map { "\($0)" }, uint32.map { "\($0)" }, uint64.map { "\($0)" }, float.map { "\($0)" },
      double.map { "\($0)" }, text,
      day.map { "\($0.timeIntervalSinceReferenceDate)" }, bytes.map { "\(Array($0))" },
      key.map { "\($0)" }, place?.path(), price.map { "\($0)" }, spelledOut,
    ]
  }
}

@Suite struct ValueKinds {
  @Test func `Every plain type comes back as it was saved`() throws {
    let made = Reading(scale: 7)
    let kept = try Kept(Reading.self) { $0.insert(made) }
    #expect(try kept.one(Reading.self).values == made.values)
  }

  @Test func `Optionals that were never set come back as nil`() throws {
    let kept = try Kept(OptionalReading.self) { $0.insert(OptionalReading()) }
    #expect(try kept.one(OptionalReading.self).values == Array(repeating: nil, count: 20))
  }

  @Test func `Optionals with values come back with them`() throws {
    let made = OptionalReading()
    made.flag = false
    made.int = -1
    made.int8 = .min
    made.int16 = .max
    made.int32 = 32
    made.int64 = .min
    made.uint = .max
    made.uint8 = .max
    made.uint16 = 0
    made.uint32 = .max
    made.uint64 = .max
    made.float = 0.5
    made.double = 0.25
    made.text = ""
    made.day = Date(timeIntervalSinceReferenceDate: 1)
    made.bytes = Data()
    made.key = UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    made.place = URL(filePath: "/here")
    made.price = Decimal(1) / 4
    made.spelledOut = "Optional<String>"
    let kept = try Kept(OptionalReading.self) { $0.insert(made) }
    #expect(try kept.one(OptionalReading.self).values == made.values)
  }
}

@Model final class Mask {
  var bits: UInt64
  var few: UInt?

  init(_ bits: UInt64) {
    self.bits = bits
    few = UInt(bits)
  }
}

@Suite struct LargeNumbers {
  @Test func `Numbers above the largest with a sign are compared and sorted as what they are`()
    throws
  {
    let kept = try Kept(Mask.self) { context in
      for bits in [.max, 3, 20, UInt64(Int64.max) + 1] { context.insert(Mask(bits)) }
    }
    func bits(_ descriptor: FetchDescriptor<Mask>) throws -> [UInt64] {
      try kept.context.fetch(descriptor).map(\.bits)
    }
    let sorted: [UInt64] = [3, 20, UInt64(Int64.max) + 1, .max]
    #expect(try bits(FetchDescriptor(sortBy: [SortDescriptor(\.bits)])) == sorted)
    #expect(try bits(FetchDescriptor(sortBy: [SortDescriptor(\.few)])) == sorted)
    #expect(
      try bits(FetchDescriptor(predicate: #Predicate { $0.bits > 10 })).sorted()
        == Array(sorted.dropFirst()))
    #expect(try bits(FetchDescriptor(predicate: #Predicate { $0.bits == 20 })) == [20])
    let largest = UInt64.max
    #expect(try bits(FetchDescriptor(predicate: #Predicate { $0.bits == largest })) == [.max])
  }
}
