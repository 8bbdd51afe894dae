import DataModel

/// The field of a record that holds the clocks of the others.
enum ClockField {
  static let name = MappedNames.clocks
}
