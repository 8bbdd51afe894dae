import DataModel
import FoundationEssentials
import SQLiteDriver

/// A request in SQL's terms: which transactions, and which of their changes.
struct HistoryPlan {
  /// The numbers of the first and the last transaction that may be meant.
  var first: Int64
  var last: Int64
  /// Conditions on a transaction `t`, with the author's name as `a.text`.
  var transactionTerms: [String] = []
  var transactionValues: [FieldValue] = []
  /// Conditions on a change `c`.
  var changeTerms: [String] = []
  var isNewestFirst: Bool
  var limit: Int?
  /// The key of the one object that is meant.
  var key: Int64?

  /// Takes `request` apart; `bounds` are the numbers of the transactions that the store has.
  init(_ request: HistoryRequest, _ store: Store, _ bounds: HistoryBounds) throws(StoreError) {
    first = bounds.oldest
    last = bounds.newest
    isNewestFirst = request.order == .newestFirst
    limit = request.limit.map { max(0, $0) }
    switch request.after {
    case nil: break
    case .token(let token):
      try bounds.check(token, store)
      first = token.transaction + 1
    case .transaction(let number):
      let token = HistoryToken(store: store.identifier, transaction: number)
      try bounds.check(token, store)
      first = number + 1
    case .date(let date): add("t.time > ?", date)
    }
    switch request.before {
    case nil: break
    case .token(let token):
      try bounds.checkStore(token, store)
      last = min(last, token.transaction)
    case .transaction(let number): last = min(last, number == .min ? number : number - 1)
    case .date(let date): add("t.time < ?", date)
    }
    addAuthors(request)
    try addChangeTerms(request, store)
  }

  private mutating func add(_ term: String, _ date: Date) {
    transactionTerms.append(term)
    transactionValues.append(.double(date.timeIntervalSinceReferenceDate))
  }

  private mutating func addAuthors(_ request: HistoryRequest) {
    if let authors = request.authors {
      transactionTerms.append("a.text IN (SELECT value FROM json_each(?))")
      transactionValues.append(.string(JSONText.array(authors.sorted())))
    }
    if !request.excludedAuthors.isEmpty {
      transactionTerms.append(
        "(a.text IS NULL OR a.text NOT IN (SELECT value FROM json_each(?)))")
      transactionValues.append(.string(JSONText.array(request.excludedAuthors.sorted())))
    }
  }

  private mutating func addChangeTerms(
    _ request: HistoryRequest, _ store: Store
  ) throws(StoreError) {
    if let entities = request.entities {
      var numbers: Set<Int> = []
      for name in entities { numbers.formUnion(try Self.numbers(name, store)) }
      changeTerms.append(Self.isOneOf("c.entity", numbers))
    }
    if request.kinds.count < ChangeKind.allCases.count {
      changeTerms.append(Self.isOneOf("c.kind", Set(request.kinds.map { Int($0.rawValue) })))
    }
    if let object = request.object {
      guard object.store == store.identifier else {
        throw StoreError(
          .invalidToken, object.description, "is an object of another store",
          fix: "ask the store that it belongs to")
      }
      let numbers = store.layout.catalogue.entityNumbers(everNamed: object.entity)
      guard !numbers.isEmpty else { throw Self.unknown(object.entity, store) }
      key = object.key
      changeTerms.append(Self.isOneOf("c.entity", Set(numbers)))
      changeTerms.append("c.key <= \(object.key) AND c.key + c.count > \(object.key)")
    }
  }

  private static func isOneOf(_ column: String, _ numbers: Set<Int>) -> String {
    "\(column) IN (\(numbers.sorted().map(String.init).joined(separator: ", ")))"
  }

  /// The numbers of an entity and of all that inherit from it.
  private static func numbers(_ name: String, _ store: Store) throws(StoreError) -> [Int] {
    if let entity = store.layout.entity(name) {
      return entity.family.map { store.layout.entities[$0].number }
    }
    let numbers = store.layout.catalogue.entityNumbers(everNamed: name)
    if numbers.isEmpty { throw unknown(name, store) }
    return numbers
  }

  private static func unknown(_ name: String, _ store: Store) -> StoreError {
    .unknownEntity(name, among: store.layout.entities.map(\.name))
  }
}

extension HistoryPlan {
  /// The transactions with numbers from the first to the second parameter.
  var transactionSQL: String {
    var terms = ["t.number >= ?", "t.number <= ?"] + transactionTerms
    if !changeTerms.isEmpty {
      terms.append(
        """
        EXISTS (SELECT 1 FROM contrail_change AS c WHERE c.number >= t.first_change \
        AND c.number < t.first_change + t.change_count AND \(changeTerms.joined(separator: " AND ")))
        """)
    }
    return """
      SELECT t.number, t.time, a.text, p.text, t.first_change, t.change_count \
      FROM contrail_transaction AS t LEFT JOIN contrail_name AS a ON a.number = t.author \
      LEFT JOIN contrail_name AS p ON p.number = t.process \
      WHERE \(terms.joined(separator: " AND ")) ORDER BY t.number\(isNewestFirst ? " DESC" : "")
      """
  }

  /// The rows of changes with numbers from the first to below the second parameter.
  var changeSQL: String {
    let terms = ["c.number >= ?1", "c.number < ?2"] + changeTerms
    return """
      SELECT c.number, c.kind, c.entity, c.key, c.count, c.properties, c.tombstone \
      FROM contrail_change AS c WHERE \(terms.joined(separator: " AND ")) ORDER BY c.number
      """
  }
}

/// Texts as JSON, for lists that are bound as one value.
enum JSONText {
  static func array(_ texts: [String]) -> String {
    "[" + texts.map(string).joined(separator: ",") + "]"
  }

  private static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
