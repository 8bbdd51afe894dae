import SwiftSyntax

/// Something that a pure module must not do, how it looks in source, and why.
struct BannedUse {
  /// How a banned use looks in source.
  enum Shape {
    /// A type or a global function, wherever it is named.
    case name(String)
    /// A call of a type's initializer without arguments.
    case emptyCall(String)
    /// A member of a type, `Date.now`, or of an inferred type, `.now`.
    case staticMember(type: String, member: String)
    /// A method, unless it is given the argument with the label.
    case method(String, unlessGiven: String)
    /// Any call whose first label is the given one.
    case firstLabel(String)
  }

  var shape: Shape
  var reason: String

  static let rows: [BannedUse] = [
    BannedUse(shape: .emptyCall("Date"), reason: time),
    BannedUse(shape: .staticMember(type: "Date", member: "now"), reason: time),
    BannedUse(shape: .name("ContinuousClock"), reason: time),
    BannedUse(shape: .name("SuspendingClock"), reason: time),
    BannedUse(shape: .name("DispatchTime"), reason: time),
    BannedUse(shape: .name("clock_gettime"), reason: time),
    BannedUse(shape: .name("gettimeofday"), reason: time),

    BannedUse(shape: .emptyCall("UUID"), reason: random),
    BannedUse(shape: .name("SystemRandomNumberGenerator"), reason: random),
    BannedUse(shape: .method("random", unlessGiven: "using"), reason: random),
    BannedUse(shape: .method("randomElement", unlessGiven: "using"), reason: random),
    BannedUse(shape: .method("shuffle", unlessGiven: "using"), reason: random),
    BannedUse(shape: .method("shuffled", unlessGiven: "using"), reason: random),
    BannedUse(shape: .name("getrandom"), reason: random),

    BannedUse(shape: .name("FileManager"), reason: disk),
    BannedUse(shape: .name("FileHandle"), reason: disk),
    BannedUse(shape: .firstLabel("contentsOfFile"), reason: disk),
    BannedUse(shape: .firstLabel("contentsOfDirectory"), reason: disk),
    BannedUse(shape: .name("fopen"), reason: disk),
    BannedUse(shape: .name("print"), reason: disk),

    BannedUse(shape: .name("ProcessInfo"), reason: process),
    BannedUse(shape: .name("CommandLine"), reason: process),
    BannedUse(shape: .name("getenv"), reason: process),
  ]

  private static let time = "time is an argument: a test, the simulator and a replay choose it"
  private static let random = "random bits are an argument: a seed has to give the same run again"
  private static let disk = "bytes come in and go out as values: a driver owns files and output"
  private static let process = "settings are arguments: a value must not depend on who runs it"
}
