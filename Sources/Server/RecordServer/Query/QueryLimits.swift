/// How much one query may ask, and cost.
public enum QueryLimits {
  /// The most records of a page, and how many it has when nobody says.
  public static let pageMax = 200
  /// The most sort orders: their keys have to fit into a continuation marker.
  public static let sortsMax = 8
  /// How many records a page looks at before it ends early, with a marker to go on.
  public static let examinedMax = 100_000
  /// How many records with the same first key, or without an index in the order asked for, are sorted
  /// for a page.
  public static let sortedMax = 100_000
  /// How many records that a filter finds are sorted rather than found in the order of an index.
  static let candidatesMax = 10_000
  /// How many values of a filter are read side by side in the order of names.
  static let mergedMax = 128
  /// How many ranges of an index are read for one filter.
  static let rangesMax = 1_000
  /// How many records of a zone are looked at in vain before the zone that is farthest behind has its
  /// turn: of many zones few each, since what is ahead at a page's end is looked at again.
  static func sliceMax(zones: Int, examinedMax: Int) -> Int {
    max(1, min(batchMax, examinedMax / (4 * max(1, zones))))
  }
  /// How many records are read at a time: at first, and at most.
  static let batchFirst = 8
  static let batchMax = 64
}
