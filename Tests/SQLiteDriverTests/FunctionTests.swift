import DataModel
import SQLiteDriver
import Testing

struct FunctionTests {
  @Test func `a function takes and gives all five storage classes`() throws {
    let connection = try Connection(.memory)
    try connection.addFunction("same", argumentCount: 1) { $0[0] }
    try connection.addFunction("count_of", argumentCount: -1) { .integer(Int64($0.count)) }
    let values: [FieldValue] = [
      .null, .integer(.min), .double(-0.5), .string("zwei\u{0}Bären"), .string(""),
      .data([0, 255]),
      .data([]),
    ]
    for value in values {
      #expect(
        try connection.rows("SELECT same(?1), typeof(same(?1)) = typeof(?1)", value)
          == [[value, .integer(1)]])
    }
    #expect(
      try connection.rows("SELECT count_of(), count_of(1, 2)") == [[.integer(0), .integer(2)]])
  }

  @Test func `a value that is no storage class is an error of the statement`() throws {
    let connection = try Connection(.memory)
    try connection.addFunction("truth", argumentCount: 0) { _ in .boolean(true) }
    #expect(
      failure { () throws(SQLiteError) in _ = try connection.rows("SELECT truth()") }
        == SQLiteError(
          code: .mismatch, message: "a function gave a value of kind boolean", sql: "SELECT truth()"
        ))
  }

  @Test func `text that is no UTF-8 reaches a function repaired`() throws {
    let connection = try Connection(.memory)
    try connection.addFunction("same", argumentCount: 1) { $0[0] }
    #expect(
      try connection.rows("SELECT same(CAST(x'61ff62' AS TEXT))") == [[.string("a\u{FFFD}b")]])
  }

  @Test func `a function serves an index of a schema that is not trusted`() throws {
    let folder = try ScratchFolder()
    let connection = try Connection(.file(folder.file("a.db")))
    try connection.addFunction("half", argumentCount: 1) { values in
      if case .integer(let number) = values[0] { .integer(number / 2) } else { .null }
    }
    try connection.execute(
      "CREATE TABLE t (n INTEGER); CREATE INDEX halves ON t (half(n)); INSERT INTO t VALUES (8), (3)"
    )
    #expect(try connection.rows("SELECT n FROM t WHERE half(n) = 4") == [[.integer(8)]])
    #expect(
      try connection.queryPlan(of: "SELECT n FROM t WHERE half(n) = 4")
        == ["SEARCH t USING INDEX halves (<expr>=?)"])
  }

  @Test func `a function that may vary cannot serve an index`() throws {
    let connection = try Connection(.memory)
    try connection.addFunction("vary", argumentCount: 1, isDeterministic: false) { $0[0] }
    let error = failure { () throws(SQLiteError) in
      try connection.execute("CREATE TABLE t (n); CREATE INDEX i ON t (vary(n))")
    }
    #expect(error?.message == "non-deterministic functions prohibited in index expressions")
  }

  @Test func `closures go when they are replaced, refused or their connection closes`() throws {
    let gone = Counter()
    var connection: Connection? = try Connection(.memory)
    func add(_ name: String, arguments: Int32) throws(SQLiteError) {
      let token = Token(gone)
      try connection?.addFunction(name, argumentCount: arguments) { [token] _ in
        .integer(Int64(token.gone.count))
      }
    }
    func order(_ name: String) throws(SQLiteError) {
      let token = Token(gone)
      try connection?.addCollation(name) { [token] _, _ in token.gone.count }
    }
    try add("f", arguments: 1)
    try add("f", arguments: 1)
    #expect(gone.count == 1)
    #expect(failure { () throws(SQLiteError) in try add("g", arguments: 1000) }?.code == .misuse)
    #expect(gone.count == 2)
    try order("c")
    try order("c")
    #expect(gone.count == 3)
    connection?.close()
    #expect(gone.count == 5)
    #expect(
      failure { () throws(SQLiteError) in try add("f", arguments: 1) }?.message
        == "the connection is closed")
    connection = nil
    #expect(gone.count == 6)
  }

  @Test func `a collation orders texts, also empty ones and ones with zero bytes`() throws {
    let connection = try Connection(.memory)
    try connection.addCollation("by_length") { left, right in left.count - right.count }
    let words = ["ccc", "", "a\u{0}bc", "bb", "é"]
    try connection.execute("CREATE TABLE t (word TEXT COLLATE by_length UNIQUE)")
    for word in words {
      let insert = try connection.statement("INSERT OR IGNORE INTO t VALUES (?1)")
      insert.bind(1, word)
      try insert.run()
    }
    // "é" has two bytes, as "bb": for this order they are the same word.
    #expect(
      try connection.rows("SELECT word FROM t ORDER BY word DESC")
        == ["a\u{0}bc", "ccc", "bb", ""].map { [.string($0)] })
  }

  @Test func `names that SQLite would cut short are refused`() throws {
    let connection = try Connection(.memory)
    #expect(
      failure { () throws(SQLiteError) in
        try connection.addFunction("abs\u{0}x", argumentCount: 1) { $0[0] }
      }?.code == .misuse)
    #expect(
      failure { () throws(SQLiteError) in try connection.addCollation("") { _, _ in 0 } }?.code
        == .misuse)
  }

  @Test func `whole numbers are packed into one value for each group`() throws {
    let connection = try Connection(.memory)
    try connection.addPackingFunction("packed")
    try connection.execute("CREATE TABLE number (value, kind)")
    try connection.execute(
      """
      WITH RECURSIVE all_numbers (n) AS (SELECT -3 UNION ALL SELECT n + 1 FROM all_numbers \
      WHERE n < 5000) INSERT INTO number SELECT n, n % 2 FROM all_numbers
      """)
    func packed(_ sql: String) throws -> [[Int64]] {
      let statement = try connection.prepare(sql)
      var groups: [[Int64]] = []
      while try statement.step() { groups.append(statement.withPackedIntegers(0) { Array($0) }) }
      return groups
    }
    #expect(try packed("SELECT packed(value) FROM number") == [Array(-3...5000)])
    #expect(try packed("SELECT packed(value) FROM number WHERE value > 9000") == [[]])
    #expect(
      try packed("SELECT packed(value) FROM number WHERE value > 4996 GROUP BY abs(kind)")
        == [[4998, 5000], [4997, 4999]])
  }

  @Test(arguments: [65_536, 65_537, 200_000])
  func `many whole numbers are packed as few are`(count: Int64) throws {
    let connection = try Connection(.memory)
    try connection.addPackingFunction("packed")
    let statement = try connection.prepare(
      """
      WITH RECURSIVE all_numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM all_numbers \
      WHERE n < \(count)) SELECT packed(n) FROM all_numbers
      """)
    #expect(try statement.step())
    #expect(statement.withPackedIntegers(0) { $0.elementsEqual(1...count) })
  }

  @Test func `what was packed before an error is freed`() throws {
    let connection = try Connection(.memory)
    try connection.addPackingFunction("packed")
    try connection.execute("CREATE TABLE number (value)")
    try connection.execute("INSERT INTO number VALUES (1), (2), (-9223372036854775808)")
    #expect(throws: SQLiteError.self) {
      try connection.rows("SELECT packed(abs(value)) FROM number")
    }
  }
}
