#include "Store.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const statements[] = {
  [FLOOR_SQL_CREATE] =
      "CREATE TABLE IF NOT EXISTS Item (_id INTEGER PRIMARY KEY, _version INTEGER NOT NULL,"
      " title TEXT, place TEXT, remarks TEXT, tag TEXT, identifier BLOB, count INTEGER,"
      " rank INTEGER, score REAL, price REAL, created REAL);"
      "CREATE INDEX IF NOT EXISTS Item_created ON Item (created);"
      "CREATE TABLE IF NOT EXISTS _change (_id INTEGER PRIMARY KEY, txn INTEGER NOT NULL,"
      " kind INTEGER NOT NULL, entity INTEGER NOT NULL, object INTEGER NOT NULL);"
      "CREATE TABLE IF NOT EXISTS _transaction (_id INTEGER PRIMARY KEY, time REAL NOT NULL,"
      " author TEXT, process TEXT)",
  [FLOOR_SQL_BEGIN] = "BEGIN IMMEDIATE",
  [FLOOR_SQL_COMMIT] = "COMMIT",
  [FLOOR_SQL_INSERT] =
      "INSERT INTO Item (_id, _version, title, place, remarks, tag, identifier, count, rank,"
      " score, price, created) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
  [FLOOR_SQL_INSERT_CHANGE] =
      "INSERT INTO _change (txn, kind, entity, object) VALUES (?1, ?2, ?3, ?4)",
  [FLOOR_SQL_INSERT_TRANSACTION] =
      "INSERT INTO _transaction (_id, time, author, process) VALUES (?1, ?2, ?3, ?4)",
  [FLOOR_SQL_FETCH] =
      "SELECT _id, _version, title, place, remarks, tag, identifier, count, rank, score, price,"
      " created FROM Item",
  [FLOOR_SQL_LOOK_UP] =
      "SELECT _id, _version, title, place, remarks, tag, identifier, count, rank, score, price,"
      " created FROM Item WHERE _id = ?1",
  // Nothing but the key is asked for, so SQLite reads the index, which is a tenth of the table.
  [FLOOR_SQL_IDENTIFIERS] = "SELECT _id FROM Item",
  [FLOOR_SQL_COUNT] = "SELECT COUNT(*) FROM Item",
  [FLOOR_SQL_COUNT_INDEXED] = "SELECT COUNT(*) FROM Item WHERE created >= ?1",
  [FLOOR_SQL_COUNT_UNINDEXED] = "SELECT COUNT(*) FROM Item WHERE rank >= ?1",
  [FLOOR_SQL_ADD_COLUMN] = "ALTER TABLE Item ADD COLUMN added INTEGER NOT NULL DEFAULT 7",
};

const char *floor_sql(floor_sql_name name) { return statements[name]; }

int floor_execute(floor_store *store, floor_sql_name name) {
  return sqlite3_exec(store->database, statements[name], NULL, NULL, NULL);
}

static int configure(floor_store *store, floor_settings settings) {
  char pragmas[200];
  snprintf(
      pragmas, sizeof pragmas,
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -%d;"
      " PRAGMA wal_autocheckpoint = %d",
      settings.cache_kib, settings.checkpoint_pages);
  return sqlite3_exec(store->database, pragmas, NULL, NULL, NULL);
}

int floor_open(const char *path, floor_settings settings, floor_store **store) {
  floor_store *made = calloc(1, sizeof *made);
  if (!made) return SQLITE_NOMEM;
  int code = sqlite3_open_v2(
      path, &made->database, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
      NULL);
  if (code == SQLITE_OK) code = configure(made, settings);
  if (code == SQLITE_OK) code = floor_execute(made, FLOOR_SQL_CREATE);
  if (code != SQLITE_OK) {
    floor_close(made);
    return code;
  }
  *store = made;
  return SQLITE_OK;
}

int floor_close(floor_store *store) {
  const int code = sqlite3_close(store->database);
  free(store);
  return code;
}

int floor_prepare(floor_store *store, floor_sql_name name, sqlite3_stmt **statement) {
  return sqlite3_prepare_v3(
      store->database, statements[name], -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

int floor_run(sqlite3_stmt *statement) {
  const int code = sqlite3_step(statement);
  const int reset = sqlite3_reset(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code == SQLITE_ROW ? SQLITE_MISUSE : reset;
}
