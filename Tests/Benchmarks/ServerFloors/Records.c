#include "ServerFloors.h"
#include "JSONWalk.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 14, NAMED_COLUMNS_FIRST = 2 };

#define COLUMN_LIST \
  "name, type, sequence, commit_sequence, created_time, created_user, created_device, " \
  "modified_time, modified_user, modified_device, fields, parent, is_deleted, has_assets"

static const char load_sql[] =
    "SELECT " COLUMN_LIST " FROM server.record WHERE zone = "
    "(SELECT number FROM server.zone WHERE name = ?1 AND NOT is_deleted) ORDER BY sequence";

// As the server saves records: see RecordStorageSQLite.
static const char save_sql[] =
    "INSERT INTO record (zone, " COLUMN_LIST ") "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) "
    "ON CONFLICT (zone, name) DO UPDATE SET type = ?3, sequence = ?4, commit_sequence = ?5, "
    "created_time = ?6, created_user = ?7, created_device = ?8, modified_time = ?9, "
    "modified_user = ?10, modified_device = ?11, fields = ?12, parent = ?13, is_deleted = ?14, "
    "has_assets = ?15";

struct server_records {
  sqlite3 *database;
  sqlite3_stmt *save;
  sqlite3_value **values;
  int64_t count;
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

static int keep_row(server_records *records, sqlite3_stmt *row, int64_t *capacity) {
  if (records->count == *capacity) {
    *capacity = *capacity == 0 ? 1024 : 2 * *capacity;
    void *grown = realloc(records->values, (size_t)*capacity * COLUMNS * sizeof(sqlite3_value *));
    if (!grown) return SQLITE_NOMEM;
    records->values = grown;
  }
  for (int column = 0; column < COLUMNS; column++)
    records->values[records->count * COLUMNS + column] =
        sqlite3_value_dup(sqlite3_column_value(row, column));
  records->count++;
  return SQLITE_OK;
}

static int load_rows(server_records *records, const char *zone) {
  sqlite3_stmt *rows = NULL;
  int64_t capacity = 0;
  int code = sqlite3_prepare_v2(records->database, load_sql, -1, &rows, NULL);
  if (code == SQLITE_OK) code = sqlite3_bind_text(rows, 1, zone, -1, SQLITE_STATIC);
  while (code == SQLITE_OK && (code = sqlite3_step(rows)) == SQLITE_ROW)
    code = keep_row(records, rows, &capacity);
  sqlite3_finalize(rows);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int attach(sqlite3 *database, const char *path) {
  char *sql = sqlite3_mprintf("ATTACH %Q AS server", path);
  if (!sql) return SQLITE_NOMEM;
  const int code = execute(database, sql);
  sqlite3_free(sql);
  return code;
}

static int prepare(server_records *records, const char *server_path, const char *zone) {
  sqlite3 *database = records->database;
  int code = execute(
      database,
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384");
  if (code == SQLITE_OK) code = attach(database, server_path);
  if (code == SQLITE_OK) code = copy_schema(database);
  if (code == SQLITE_OK) code = load_rows(records, zone);
  if (code == SQLITE_OK) code = execute(database, "DETACH server");
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v3(
        database, save_sql, -1, SQLITE_PREPARE_PERSISTENT, &records->save, NULL);
  return code;
}

int server_records_open(
    const char *path, const char *server_path, const char *zone, server_records **records) {
  server_records *made = calloc(1, sizeof *made);
  if (!made) return SQLITE_NOMEM;
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
  for (int64_t index = 0; index < records->count * COLUMNS; index++)
    sqlite3_value_free(records->values[index]);
  free(records->values);
  sqlite3_finalize(records->save);
  const int code = sqlite3_close(records->database);
  free(records);
  return code;
}

static int save_row(server_records *records, int64_t zone, int64_t index) {
  int code = sqlite3_bind_int64(records->save, 1, zone);
  for (int column = 0; code == SQLITE_OK && column < COLUMNS; column++)
    code = sqlite3_bind_value(
        records->save, NAMED_COLUMNS_FIRST + column, records->values[index * COLUMNS + column]);
  if (code == SQLITE_OK) code = sqlite3_step(records->save);
  const int reset = sqlite3_reset(records->save);
  return code == SQLITE_DONE ? SQLITE_OK : reset;
}

int server_records_save(
    server_records *records, const server_bytes *bodies, size_t count, int64_t zone, int64_t batch,
    int64_t *saved) {
  int64_t index = 0;
  for (size_t body = 0; body < count; body++) {
    if (!json_walk(bodies[body].bytes, bodies[body].count)) return EINVAL;
    int code = execute(records->database, "BEGIN IMMEDIATE");
    for (int64_t end = index + batch; code == SQLITE_OK && index < end; index++)
      code = index < records->count ? save_row(records, zone, index) : SQLITE_RANGE;
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
