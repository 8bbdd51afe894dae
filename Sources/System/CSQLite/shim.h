// What Swift needs to call SQLite, and nothing more.
#ifndef CONTRAIL_CSQLITE_SHIM_H
#define CONTRAIL_CSQLITE_SHIM_H

#include <sqlite3.h>

// `sqlite3_db_config` takes a variable number of arguments, which Swift cannot call: this is the form
// of its switches, an int in and none out.
static inline int contrail_sqlite3_switch(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

// SQLITE_TRANSIENT is a cast that Swift does not import: SQLite copies what it is given.
static inline int contrail_sqlite3_bind_copied_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int contrail_sqlite3_bind_copied_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline void contrail_sqlite3_result_copied_text(
    sqlite3_context *context, const char *text, sqlite3_uint64 count) {
  sqlite3_result_text64(context, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline void contrail_sqlite3_result_copied_blob(
    sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
  sqlite3_result_blob64(context, bytes, count, SQLITE_TRANSIENT);
}

#endif
