// What Swift needs to call SQLite, and nothing more.
#ifndef CONTRAIL_CSQLITE_SHIM_H
#define CONTRAIL_CSQLITE_SHIM_H

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// `sqlite3_db_config` takes a variable number of arguments, which Swift cannot call: this is the form
// of its switches, an int in and none out.
static inline int contrail_sqlite3_switch(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

// `sqlite3_config` is variadic too; this must come before anything else is asked of SQLite.
static inline int contrail_sqlite3_drop_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
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

// What the index of the write-ahead log begins with: both copies of its header, and no more. See
// https://www.sqlite.org/walformat.html#the_wal_index_file_format
enum {
  CONTRAIL_LOG_HEADER_BYTES = 48,
  CONTRAIL_LOG_INDEX_BYTES = 32768,
};

// Copies the header of the index of the write-ahead log, which is another after each commit by anybody;
// 0 where there is none, or it is being written. Only for a connection that has read through the log:
// the index is then in memory and stays there, and this makes no system call.
// NB: the writer writes the second copy first, so that two equal ones are whole, as SQLite itself reads them.
static inline int contrail_sqlite3_log_header(
    sqlite3 *database, unsigned char header[CONTRAIL_LOG_HEADER_BYTES]) {
  sqlite3_file *file = 0;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
  if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
  void volatile *index = 0;
  if (file->pMethods->xShmMap(file, 0, CONTRAIL_LOG_INDEX_BYTES, 0, &index) != SQLITE_OK) return 0;
  if (!index) return 0;
  unsigned char second[CONTRAIL_LOG_HEADER_BYTES];
  memcpy(header, (const void *)index, CONTRAIL_LOG_HEADER_BYTES);
  file->pMethods->xShmBarrier(file);
  memcpy(second, (const char *)index + CONTRAIL_LOG_HEADER_BYTES, CONTRAIL_LOG_HEADER_BYTES);
  return memcmp(header, second, CONTRAIL_LOG_HEADER_BYTES) == 0;
}

// How reading the start of a file went.
enum {
  CONTRAIL_FILE_READ = 0,
  CONTRAIL_FILE_ABSENT = 1,
  CONTRAIL_FILE_OTHER = 2,
  CONTRAIL_FILE_UNREADABLE = 3,
};

// Reads the first bytes of a file, at most `capacity`, and its size. Swift's own way is Foundation, a
// large library for a hundred bytes. NB: it looks before it opens, since opening a pipe waits.
static inline int contrail_file_start(
    const char *path, unsigned char *bytes, long capacity, long *count, long long *size, int *reason) {
  struct stat about;
  if (stat(path, &about) != 0) {
    *reason = errno;
    return errno == ENOENT || errno == ENOTDIR ? CONTRAIL_FILE_ABSENT : CONTRAIL_FILE_UNREADABLE;
  }
  if (!S_ISREG(about.st_mode)) return CONTRAIL_FILE_OTHER;
  FILE *file = fopen(path, "rbe");
  if (!file) {
    *reason = errno;
    return CONTRAIL_FILE_UNREADABLE;
  }
  *count = (long)fread(bytes, 1, (size_t)capacity, file);
  *reason = errno;
  int failed = ferror(file);
  fclose(file);
  *size = about.st_size;
  return failed ? CONTRAIL_FILE_UNREADABLE : CONTRAIL_FILE_READ;
}

// A file's size; -1 where there is none.
static inline long long contrail_file_size(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 ? (long long)about.st_size : -1;
}

static inline const char *contrail_error_text(int reason) { return strerror(reason); }

#endif
