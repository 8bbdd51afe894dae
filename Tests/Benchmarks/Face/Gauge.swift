import Contrail
import Foundation

/// A model with a property of each kind that is in one column.
@Model final class Gauge {
  var count = 0
  var level = 0.0
  var label = ""
  var limit: Int?
  var phase = Phase.idle
  var mood = Mood.calm
  var isOn = false
  var day = Date(timeIntervalSinceReferenceDate: 0)
  var key = UUID()
  var price = Decimal(1)
  var place = URL(filePath: "/")
  var picture = Data(repeating: 1, count: 4096)
  var names = ["here", "there"]
  var spot = Spot()
  var notice = Notice.none

  init() {}
}

/// The same as a class that is only observed: what reading and writing a property costs at least.
@Observable final class PlainGauge {
  var count = 0
  var level = 0.0
  var label = ""
  var limit: Int?
  var phase = Phase.idle
  var mood = Mood.calm
  var isOn = false
  var day = Date(timeIntervalSinceReferenceDate: 0)
  var key = UUID()
  var price = Decimal(1)
  var place = URL(filePath: "/")
  var picture = Data(repeating: 1, count: 4096)
  var names = ["here", "there"]
  var spot = Spot()
  var notice = Notice.none
}

/// A structure with a column for each part.
struct Spot: Codable {
  var street = "High Street"
  var number = 1
  var floor: Int?
}

/// An enumeration whose cases hold something.
enum Notice: Codable {
  case none
  case text(String)
  case code(Int, reason: String?)
}

/// An enumeration that is kept as a number.
enum Phase: Int, Codable {
  case idle
  case busy
}

/// An enumeration that is kept as a text.
enum Mood: String, Codable {
  case calm
  case tense
  case merry
}
