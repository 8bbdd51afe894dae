import Glibc
import SQLiteDriver
import ServerFloors

/// The rows that a finished exchange has left on one side, to be written once more by C.
final class RowsFloor {
  private let copy: OpaquePointer
  private let texts: [UnsafeMutablePointer<CChar>?]
  private(set) var saved: Int64 = 0

  /// Prepares to write rows of the file `source` into a new file; each table has what loads rows, between
  /// two numbers, and what saves them.
  init(
    at path: String, from source: String, isDurable: Bool, cacheKiB: Int32,
    _ tables: [(load: String, save: String)]
  ) throws {
    let texts = tables.flatMap { [strdup($0.load), strdup($0.save)] }
    self.texts = texts
    let rows = stride(from: 0, to: texts.count, by: 2).map {
      sync_table(load: texts[$0], save: texts[$0 + 1])
    }
    var made: OpaquePointer?
    try FloorFailure.check(
      sync_copy_open(path, source, rows, rows.count, isDurable ? 1 : 0, cacheKiB, &made))
    guard let made else { throw FloorFailure(code: ENOMEM) }
    copy = made
  }

  deinit {
    sync_copy_close(copy)
    for text in texts { free(text) }
  }

  func load(_ numbers: ClosedRange<Int64>) throws {
    try FloorFailure.check(sync_copy_load(copy, numbers.lowerBound, numbers.upperBound))
  }

  /// Writes what is loaded in one transaction.
  func save() throws { try FloorFailure.check(sync_copy_save(copy, &saved)) }
}

/// What a store's own side of sync leaves in its file.
enum ClientRows {
  /// The cache that a store's connections have.
  static let cacheKiB: Int32 = 64 * 1024

  static let record = (
    load: "SELECT * FROM contrail_sync_record WHERE number BETWEEN ?1 AND ?2 ORDER BY number",
    save: "INSERT INTO contrail_sync_record VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
  )
  static let base = (
    load: "SELECT * FROM contrail_sync_base WHERE record BETWEEN ?1 AND ?2 ORDER BY record",
    save: "INSERT INTO contrail_sync_base VALUES (?1, ?2, ?3, ?4)"
  )
  /// The objects; their keys are those of their records' rows.
  static let object = (
    load: "SELECT * FROM \"Item\" WHERE _id BETWEEN ?1 AND ?2 ORDER BY _id",
    save: "INSERT INTO \"Item\" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
  )
}

/// What the server's side leaves in its file, of one zone.
struct ServerRows {
  /// The cache that the server's connection has.
  static let cacheKiB: Int32 = 16 * 1024

  /// The zone's rows in a file of their own, with the entries in the order of their records.
  let path: String
  /// How many records there are, with numbers from 1.
  let count: Int64

  /// Copies a zone's rows out of the server's file.
  init(at path: String, from server: String, zone: String) throws {
    self.path = path
    let connection = try Connection(.file(path))
    try connection.execute("PRAGMA synchronous = OFF")
    let attach = try connection.prepare("ATTACH ?1 AS server")
    attach.bind(1, server)
    try attach.run()
    let schema = try connection.prepare(
      """
      SELECT sql FROM server.sqlite_schema WHERE sql IS NOT NULL AND type <> 'trigger' \
      AND tbl_name IN ('record', 'index_entry', 'index_list') ORDER BY rowid
      """)
    while try schema.step() { try connection.execute(schema.text(0)) }
    let number = "(SELECT number FROM server.zone WHERE name = '\(zone)' AND NOT is_deleted)"
    let first = "(SELECT min(number) FROM server.record WHERE zone = \(number))"
    try connection.execute(
      """
      CREATE TABLE copied_record AS SELECT * FROM server.record WHERE zone = \(number) ORDER BY number;
      UPDATE copied_record SET number = number - \(first) + 1;
      CREATE INDEX copied_record_number ON copied_record (number);
      CREATE TABLE copied_entry AS SELECT * FROM server.index_entry WHERE zone = \(number) \
      ORDER BY record;
      UPDATE copied_entry SET record = record - \(first) + 1;
      CREATE INDEX copied_entry_record ON copied_entry (record);
      CREATE TABLE copied_list AS SELECT * FROM server.index_list WHERE record IN \
      (SELECT number FROM server.record WHERE zone = \(number)) ORDER BY record;
      UPDATE copied_list SET record = record - \(first) + 1;
      CREATE INDEX copied_list_record ON copied_list (record)
      """)
    let counting = try connection.prepare("SELECT count(*) FROM copied_record")
    count = try counting.step() ? counting.integer(0) : 0
    counting.reset()
  }

  static let tables: [(load: String, save: String)] = [
    (
      "SELECT * FROM copied_record WHERE number BETWEEN ?1 AND ?2 ORDER BY number",
      "INSERT INTO record VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"
    ),
    (
      "SELECT * FROM copied_entry WHERE record BETWEEN ?1 AND ?2 ORDER BY record",
      "INSERT OR REPLACE INTO index_entry VALUES (?1, ?2, ?3, ?4, ?5)"
    ),
    (
      "SELECT * FROM copied_list WHERE record BETWEEN ?1 AND ?2 ORDER BY record",
      "INSERT OR REPLACE INTO index_list VALUES (?1, ?2)"
    ),
  ]
}

/// Requests that save the records of a store, made by C.
final class RequestsFloor {
  private let requests: OpaquePointer
  private let fields: [sync_field]
  private let fieldList: UnsafeMutableBufferPointer<sync_field>
  private let type = strdup("Item")

  /// Prepares to make requests of what the store at `path` has confirmed.
  init(from path: String) throws {
    var (fields, columns): ([sync_field], [String]) = ([], [])
    let listing = try Connection(.file(path)).prepare(
      """
      SELECT key, json_extract(value, '$.type') FROM contrail_sync_base, \
      json_each(CAST(fields AS TEXT)) WHERE record = \
      (SELECT min(record) FROM contrail_sync_base)
      """)
    while try listing.step() {
      let (name, type) = (listing.text(0), listing.text(1))
      let isString = ["STRING", "BYTES"].contains(type) ? Int32(1) : 0
      fields.append(sync_field(name: strdup(name), type: strdup(type), is_string: isString))
      columns.append("CAST(json_extract(CAST(b.fields AS TEXT), '$.\(name).value') AS TEXT)")
    }
    listing.reset()
    self.fields = fields
    fieldList = .allocate(capacity: fields.count)
    _ = fieldList.initialize(from: fields)
    let load = """
      SELECT r.name, \(columns.joined(separator: ", ")) FROM contrail_sync_record AS r \
      JOIN contrail_sync_base AS b ON b.record = r.number WHERE r.number BETWEEN ?1 AND ?2 \
      ORDER BY r.number
      """
    var made: OpaquePointer?
    try FloorFailure.check(
      sync_requests_open(path, load, type, fieldList.baseAddress, fields.count, &made))
    guard let made else { throw FloorFailure(code: ENOMEM) }
    requests = made
  }

  deinit {
    sync_requests_close(requests)
    for field in fields {
      free(UnsafeMutablePointer(mutating: field.name))
      free(UnsafeMutablePointer(mutating: field.type))
    }
    fieldList.deallocate()
    free(type)
  }

  func load(_ numbers: ClosedRange<Int64>) throws {
    try FloorFailure.check(sync_requests_load(requests, numbers.lowerBound, numbers.upperBound))
  }

  /// Makes one request, and reads it as JSON.
  func makeAndParse() throws {
    var body = server_bytes()
    try FloorFailure.check(sync_requests_make(requests, &body))
    try FloorFailure.check(sync_parse(body))
  }
}
