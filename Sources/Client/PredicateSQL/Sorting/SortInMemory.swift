public import DataModel

extension QuerySort {
  /// How two of the values that objects are sorted by are ordered: negative, zero or positive.
  public func order(_ left: FieldValue, _ right: FieldValue) -> Int {
    let order = ascendingOrder(left, right)
    return isAscending ? order : -order
  }

  private func ascendingOrder(_ left: FieldValue, _ right: FieldValue) -> Int {
    if left == .null || right == .null { return (left == .null ? 0 : 1) - (right == .null ? 0 : 1) }
    // NaN after every number: a sort needs a place for each value.
    if left.isNaN || right.isNaN { return (left.isNaN ? 1 : 0) - (right.isNaN ? 1 : 0) }
    if case .string(let left) = left, case .string(let right) = right {
      return texts.order(left, right)
    }
    if left.isLess(than: right) ?? false { return -1 }
    return right.isLess(than: left) ?? false ? 1 : 0
  }
}

extension [QuerySort] {
  /// How two rows of values, one for each sort, are ordered: negative, zero or positive.
  public func order(_ left: [FieldValue], _ right: [FieldValue]) -> Int {
    for (sort, (left, right)) in zip(self, zip(left, right)) {
      let order = sort.order(left, right)
      if order != 0 { return order }
    }
    return 0
  }

  /// The values of an object that it is sorted by.
  public func values(for row: any QueryRow) throws(QueryProblem) -> [FieldValue] {
    var values: [FieldValue] = []
    for sort in self { values.append(try sort.expression.value(for: row)) }
    return values
  }
}
