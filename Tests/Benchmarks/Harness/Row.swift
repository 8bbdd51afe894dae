/// One line of the report: what something costs, what it costs at least, and whether that is near
/// enough.
struct Row {
  let name: String
  let unit: String
  let ours: Double
  /// What the floor costs in the same unit; nil for a row that only informs.
  let floor: Double?
  /// The largest ratio of ours to the floor that is good enough.
  let target: Double?
  let peakMemoryMB: Double
  let note: String
  /// Whether what it shows is right; a row with a target must also be near its floor.
  var isRight = true

  /// How many times the floor ours costs; the same is 1, also where it is nothing.
  var ratio: Double? {
    floor.map { ours == $0 ? 1 : ours / $0 }
  }

  var met: Bool {
    guard let ratio, let target else { return isRight }
    return ratio <= target && isRight
  }
}
