/// What a checker found.
struct SimulationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The checker's name.
  var checker: String
  /// What is wrong, in words.
  var message: String
  /// When, in the world's milliseconds.
  var time: Int64

  var description: String { "\(checker): \(message) (at \(time))" }
}
