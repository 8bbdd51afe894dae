import DataModel

/// What happened in a world, line by line; the hash of all lines tells whether two runs were the same.
final class Trace {
  /// Whether lines are kept.
  let isKept: Bool
  private(set) var lines: [String] = []
  private(set) var count = 0
  private var digest = SHA256()

  init(isKept: Bool) { self.isKept = isKept }

  func note(_ time: Int64, _ device: Int?, _ text: @autoclosure () -> String) {
    let who = device.map { "device \($0)" } ?? "server"
    let line = "\(time) \(who) \(text())"
    count += 1
    digest.update(line.utf8)
    digest.update([10])
    if isKept { lines.append(line) }
  }

  /// Adds lines that explain the last one, where lines are kept; they do not count.
  func explain(_ lines: [String]) { self.lines += lines.map { "    " + $0 } }

  /// The hash of what happened so far, as text.
  var hash: String {
    let copy = digest
    return String(copy.finish().prefix(8).hexadecimal)
  }
}
