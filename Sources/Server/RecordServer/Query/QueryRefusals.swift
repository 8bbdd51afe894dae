import DataModel
import RecordWire

extension RequestFailure {
  // The words that clients of the protocol look for where it has some.
  static func unknownType(_ name: String) -> RequestFailure {
    badRequest("Did not find record type: \(name.shownName)")
  }

  static func unknownField(_ name: String, in type: String) -> RequestFailure {
    badRequest("Unknown field '\(name.shownName)' in record type '\(type.shownName)'")
  }

  static func notMarked(_ name: String, _ index: RecordSchema.Indexes) -> RequestFailure {
    let word = RecordSchema.Indexes.named.first { $0.index == index }?.name.lowercased() ?? ""
    return badRequest("Field '\(name.shownName)' is not marked \(word)")
  }

  static func notComparable(
    _ name: String, _ shape: FieldShape, _ comparator: QueryFilter.Comparator
  ) -> RequestFailure {
    badRequest(
      "Field '\(name.shownName)' has a value type of \(shape.wireName) and cannot be queried using "
        + "filter type \(comparator.rawValue)")
  }

  static func notSortable(_ name: String, _ shape: FieldShape) -> RequestFailure {
    badRequest(
      "Field '\(name.shownName)' has a value type of \(shape.wireName) and cannot be sorted by")
  }

  static func wrongValue(_ name: String, _ mismatch: ValueMismatch) -> RequestFailure {
    badRequest("Field '\(name.shownName)': \(mismatch.reason)")
  }

  static let noDistance = badRequest("NEAR needs a distance in metres that is not negative")

  static func noPlace(_ name: String) -> RequestFailure {
    badRequest("sorting by the field '\(name.shownName)' needs a relativeLocation")
  }

  static let tooManySorts = badRequest(
    "a query has \(QueryLimits.sortsMax) sort orders at most: leave some out")

  static let tooManyToSort = badRequest(
    "more than \(QueryLimits.sortedMax) records would have to be sorted: add a filter, or sort by a "
      + "field with more different values first")

  /// The marker is of another query, or of a server that was restored since.
  static let otherMarker = badRequest("Unknown query continuation type")

  static func indexIncomplete(_ name: String) -> RequestFailure {
    RequestFailure(
      .tryAgainLater, reason: "the index of the field '\(name.shownName)' is being filled",
      retryAfter: 1)
  }

  static let damagedRecord = RequestFailure(.internalError, reason: "a stored record is damaged")
}

extension QueryField {
  /// The name that refusals give: a system field's own one.
  var shownInRefusals: String {
    switch self {
    case .field(let name): name
    case .system(let field): field.rawValue
    }
  }
}
