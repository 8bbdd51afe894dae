#include "ServerFloors.h"
#include "JSONWalk.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// Columns of a record, and its list of entries behind them; columns of an entry.
enum { RECORD_COLUMNS = 14, LIST_COLUMN = 14, COLUMNS = 15, ENTRY_COLUMNS = 3 };

#define COLUMN_LIST \
  "name, type, sequence, commit_sequence, created_time, created_user, created_device, " \
  "modified_time, modified_user, modified_device, fields, parent, is_deleted, has_assets"

#define ZONE "(SELECT number FROM server.zone WHERE name = ?1 AND NOT is_deleted)"

static const char load_sql[] =
    "SELECT " COLUMN_LIST ", (SELECT entries FROM server.index_list WHERE record = number) "
    "FROM server.record WHERE zone = " ZONE " ORDER BY number";

// The entries of all records, in the order of the records.
static const char load_entries_sql[] =
    "SELECT name, slot, value FROM server.index_entry WHERE zone = " ZONE " ORDER BY record, slot";

// As the server saves records: see RecordStorageSQLite.
static const char save_sql[] =
    "INSERT INTO record (zone, " COLUMN_LIST ") "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) "
    "ON CONFLICT (zone, name) DO UPDATE SET type = ?3, sequence = ?4, commit_sequence = ?5, "
    "created_time = ?6, created_user = ?7, created_device = ?8, modified_time = ?9, "
    "modified_user = ?10, modified_device = ?11, fields = ?12, parent = ?13, is_deleted = ?14, "
    "has_assets = ?15";
static const char save_entry_sql[] =
    "INSERT OR REPLACE INTO index_entry (name, slot, value, zone, record) "
    "VALUES (?1, ?2, ?3, ?4, ?5)";
static const char save_list_sql[] = "INSERT OR REPLACE INTO index_list VALUES (?1, ?2)";

// Rows as values that are kept apart from their statement.
typedef struct {
  sqlite3_value **values;
  int columns;
  int64_t count;
  int64_t capacity;
} table;

struct server_records {
  sqlite3 *database;
  sqlite3_stmt *save;
  sqlite3_stmt *save_entry;
  sqlite3_stmt *save_list;
  table records;
  table entries;
};

static int execute(sqlite3 *database, const char *sql) {
  return sqlite3_exec(database, sql, NULL, NULL, NULL);
}

// Makes the tables, indexes and triggers that the server's file has.
static int copy_schema(sqlite3 *database) {
  sqlite3_stmt *list = NULL;
  int code = sqlite3_prepare_v2(
      database,
      "SELECT sql FROM server.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
      " ORDER BY rowid",
      -1, &list, NULL);
  while (code == SQLITE_OK && (code = sqlite3_step(list)) == SQLITE_ROW)
    code = execute(database, (const char *)sqlite3_column_text(list, 0));
  sqlite3_finalize(list);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int keep_row(table *rows, sqlite3_stmt *row) {
  if (rows->count == rows->capacity) {
    rows->capacity = rows->capacity == 0 ? 1024 : 2 * rows->capacity;
    const size_t size = (size_t)rows->capacity * (size_t)rows->columns * sizeof(sqlite3_value *);
    void *grown = realloc(rows->values, size);
    if (!grown) return SQLITE_NOMEM;
    rows->values = grown;
  }
  for (int column = 0; column < rows->columns; column++)
    rows->values[rows->count * rows->columns + column] =
        sqlite3_value_dup(sqlite3_column_value(row, column));
  rows->count++;
  return SQLITE_OK;
}

static sqlite3_value *value_of(const table *rows, int64_t row, int column) {
  return rows->values[row * rows->columns + column];
}

static void free_rows(table *rows) {
  for (int64_t index = 0; index < rows->count * rows->columns; index++)
    sqlite3_value_free(rows->values[index]);
  free(rows->values);
}

static int load_rows(sqlite3 *database, const char *sql, const char *zone, table *rows) {
  sqlite3_stmt *list = NULL;
  int code = sqlite3_prepare_v2(database, sql, -1, &list, NULL);
  if (code == SQLITE_OK) code = sqlite3_bind_text(list, 1, zone, -1, SQLITE_STATIC);
  while (code == SQLITE_OK && (code = sqlite3_step(list)) == SQLITE_ROW)
    code = keep_row(rows, list);
  sqlite3_finalize(list);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int attach(sqlite3 *database, const char *path) {
  char *sql = sqlite3_mprintf("ATTACH %Q AS server", path);
  if (!sql) return SQLITE_NOMEM;
  const int code = execute(database, sql);
  sqlite3_free(sql);
  return code;
}

static int keep_statement(sqlite3 *database, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

static int prepare(server_records *records, const char *server_path, const char *zone) {
  sqlite3 *database = records->database;
  int code = execute(
      database,
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384");
  if (code == SQLITE_OK) code = attach(database, server_path);
  if (code == SQLITE_OK) code = copy_schema(database);
  if (code == SQLITE_OK) code = load_rows(database, load_sql, zone, &records->records);
  if (code == SQLITE_OK) code = load_rows(database, load_entries_sql, zone, &records->entries);
  if (code == SQLITE_OK) code = execute(database, "DETACH server");
  if (code == SQLITE_OK) code = keep_statement(database, save_sql, &records->save);
  if (code == SQLITE_OK) code = keep_statement(database, save_entry_sql, &records->save_entry);
  if (code == SQLITE_OK) code = keep_statement(database, save_list_sql, &records->save_list);
  return code;
}

int server_records_open(
    const char *path, const char *server_path, const char *zone, server_records **records) {
  server_records *made = calloc(1, sizeof *made);
  if (!made) return SQLITE_NOMEM;
  made->records.columns = COLUMNS;
  made->entries.columns = ENTRY_COLUMNS;
  int code = sqlite3_open_v2(
      path, &made->database, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
      NULL);
  if (code == SQLITE_OK) code = prepare(made, server_path, zone);
  if (code != SQLITE_OK) {
    server_records_close(made);
    return code;
  }
  *records = made;
  return SQLITE_OK;
}

int server_records_close(server_records *records) {
  free_rows(&records->records);
  free_rows(&records->entries);
  sqlite3_finalize(records->save);
  sqlite3_finalize(records->save_entry);
  sqlite3_finalize(records->save_list);
  const int code = sqlite3_close(records->database);
  free(records);
  return code;
}

static int run(sqlite3_stmt *statement) {
  const int code = sqlite3_step(statement);
  const int reset = sqlite3_reset(statement);
  return code == SQLITE_DONE ? SQLITE_OK : reset;
}

static int save_record(server_records *records, int64_t zone, int64_t row) {
  int code = sqlite3_bind_int64(records->save, 1, zone);
  for (int column = 0; code == SQLITE_OK && column < RECORD_COLUMNS; column++)
    code = sqlite3_bind_value(
        records->save, column + 2, value_of(&records->records, row, column));
  return code == SQLITE_OK ? run(records->save) : code;
}

static int save_entry(server_records *records, int64_t zone, int64_t record, int64_t entry) {
  int code = SQLITE_OK;
  for (int column = 0; code == SQLITE_OK && column < ENTRY_COLUMNS; column++)
    code = sqlite3_bind_value(
        records->save_entry, column + 1, value_of(&records->entries, entry, column));
  sqlite3_bind_int64(records->save_entry, 4, zone);
  sqlite3_bind_int64(records->save_entry, 5, record);
  return code == SQLITE_OK ? run(records->save_entry) : code;
}

// Whether the entry is one of the record: both have the record's name.
static int is_of(const server_records *records, int64_t entry, int64_t row) {
  const char *name = (const char *)sqlite3_value_text(value_of(&records->records, row, 0));
  const char *other = (const char *)sqlite3_value_text(value_of(&records->entries, entry, 0));
  return name && other && strcmp(name, other) == 0;
}

static int save_row(server_records *records, int64_t zone, int64_t row, int64_t *entry) {
  int code = save_record(records, zone, row);
  const int64_t number = sqlite3_last_insert_rowid(records->database);
  for (; code == SQLITE_OK && *entry < records->entries.count && is_of(records, *entry, row);
       ++*entry)
    code = save_entry(records, zone, number, *entry);
  sqlite3_value *list = value_of(&records->records, row, LIST_COLUMN);
  if (code != SQLITE_OK || sqlite3_value_type(list) == SQLITE_NULL) return code;
  sqlite3_bind_int64(records->save_list, 1, number);
  sqlite3_bind_value(records->save_list, 2, list);
  return run(records->save_list);
}

int server_records_save(
    server_records *records, const server_bytes *bodies, size_t count, int64_t zone, int64_t batch,
    int64_t *saved) {
  int64_t index = 0;
  int64_t entry = 0;
  for (size_t body = 0; body < count; body++) {
    if (!json_walk(bodies[body].bytes, bodies[body].count)) return EINVAL;
    int code = execute(records->database, "BEGIN IMMEDIATE");
    for (int64_t end = index + batch; code == SQLITE_OK && index < end; index++)
      code = index < records->records.count ? save_row(records, zone, index, &entry) : SQLITE_RANGE;
    if (code == SQLITE_OK) code = execute(records->database, "COMMIT");
    if (code != SQLITE_OK) return code;
  }
  *saved = index;
  return SQLITE_OK;
}

int server_records_query(const char *path, const char *sql, int64_t times, int64_t *rows) {
  sqlite3 *database = NULL;
  sqlite3_stmt *query = NULL;
  *rows = 0;
  int code = sqlite3_open_v2(path, &database, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READONLY, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &query, NULL);
  for (int64_t time = 0; code == SQLITE_OK && time < times; time++) {
    while ((code = sqlite3_step(query)) == SQLITE_ROW) {
      for (int column = sqlite3_column_count(query) - 1; column >= 0; column--)
        sqlite3_column_blob(query, column);
      ++*rows;
    }
    if (code == SQLITE_DONE) code = sqlite3_reset(query);
  }
  sqlite3_finalize(query);
  sqlite3_close(database);
  return code;
}

char *server_records_text(const char *path, const char *sql) {
  sqlite3 *database = NULL;
  sqlite3_stmt *query = NULL;
  char *text = NULL;
  int code = sqlite3_open_v2(path, &database, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READONLY, NULL);
  if (code == SQLITE_OK) code = sqlite3_prepare_v2(database, sql, -1, &query, NULL);
  if (code == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW) {
    const char *found = (const char *)sqlite3_column_text(query, 0);
    text = found ? strdup(found) : NULL;
  }
  sqlite3_finalize(query);
  sqlite3_close(database);
  return text;
}
