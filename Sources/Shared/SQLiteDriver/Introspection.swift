/// A table of a database.
public struct TableDescription: Hashable, Sendable {
  /// What a table is.
  public enum Kind: String, Hashable, Sendable {
    case table, view
    /// A virtual table, such as a full-text index.
    case virtual
    /// A table that a virtual table keeps its data in.
    case shadow
  }

  /// Its name.
  public var name: String
  /// What it is.
  public var kind: Kind
  /// Whether its columns take only values of their types.
  public var isStrict: Bool
  /// Whether its rows lie in the order of the primary key, without a key of their own.
  public var isWithoutRowID: Bool
}

/// A column of a table.
public struct ColumnDescription: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// The type that it was declared with; empty for none.
  public var declaredType: String
  /// Whether it refuses null.
  public var isNotNull: Bool
  /// The SQL of its default value; nil for none.
  public var defaultSQL: String?
  /// Its place in the primary key, from 1; 0 for a column that is not in it.
  public var keyPosition: Int
  /// Whether its value is computed.
  public var isGenerated: Bool
}

extension Connection {
  /// The tables and views of the database, by name, without SQLite's own.
  public var tables: [TableDescription] {
    get throws(SQLiteError) {
      // The pragma's columns: https://www.sqlite.org/pragma.html#pragma_table_list
      let statement = try prepare(
        """
        SELECT name, type, strict, wr FROM pragma_table_list
        WHERE schema = 'main' AND name NOT GLOB 'sqlite_*' ORDER BY name
        """)
      var tables: [TableDescription] = []
      while try statement.step() {
        tables.append(
          TableDescription(
            name: statement.text(0), kind: .init(rawValue: statement.text(1)) ?? .table,
            isStrict: statement.integer(2) != 0, isWithoutRowID: statement.integer(3) != 0))
      }
      return tables
    }
  }

  /// The columns of a table or view, in their order; none where it does not exist.
  public func columns(of table: String) throws(SQLiteError) -> [ColumnDescription] {
    // `hidden` is 1 for what a virtual table hides, 2 and 3 for what is computed:
    // https://www.sqlite.org/pragma.html#pragma_table_xinfo
    let statement = try prepare(
      """
      SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?1)
      WHERE hidden <> 1 ORDER BY cid
      """)
    statement.bind(1, table)
    var columns: [ColumnDescription] = []
    while try statement.step() {
      columns.append(
        ColumnDescription(
          name: statement.text(0), declaredType: statement.text(1),
          isNotNull: statement.integer(2) != 0,
          defaultSQL: statement.isNull(3) ? nil : statement.text(3),
          keyPosition: Int(statement.integer(4)), isGenerated: statement.integer(5) > 1))
    }
    return columns
  }
}
