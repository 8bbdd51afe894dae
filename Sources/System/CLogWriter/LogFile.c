// Gathers what SQLite writes to a write-ahead log.
//
// Why nothing can be lost or told too early:
//   - A page comes as 24 bytes and its own bytes after them; the 24 say whether it is the last one of a commit
//     (https://www.sqlite.org/walformat.html#the_wal_file_format). With the last one all is written, before SQLite
//     tells others of the commit in the log's index.
//   - Pages that are no commit yet, written since memory is short, are this connection's alone: it reads them out of
//     what was gathered.
//   - Only who holds the write lock gathers. What is left when it is given back was rolled back, and is forgotten
//     before anybody else can write in its place.
//   - Whatever is not the next page is written where and when SQLite says, after what was gathered.
#include "Files.h"

#include <string.h>

enum {
  // What stands before each page in the log.
  FRAME_HEADER_BYTES = 24,
  // Where in it the database's size after a commit stands; 0 for other pages.
  COMMIT_FIELD = 4,
  // How much is gathered at most: sixteen pages of SQLite's usual size.
  GATHERED_MAX = 16 * (FRAME_HEADER_BYTES + 4096),
};

// SQLite's own files take 17 bits of a length: https://www.sqlite.org/src/file/src/os_unix.c
_Static_assert(GATHERED_MAX < 0x20000, "more than one write can hold");

void log_forget(LogFile *log) {
  log->count = 0;
  log->is_last = false;
  log->failure = SQLITE_OK;
}

// Writes what was gathered.
static int flush(LogFile *log) {
  if (log->failure != SQLITE_OK) return log->failure;
  if (log->count == 0) return SQLITE_OK;
  sqlite3_file *real = beneath(&log->file);
  log->failure = real->pMethods->xWrite(real, log->bytes, log->count, log->offset);
  if (log->failure == SQLITE_OK) log_forget(log);
  return log->failure;
}

static bool is_commit(const unsigned char *header) {
  static const unsigned char none[4] = {0};
  return memcmp(header + COMMIT_FIELD, none, sizeof none) != 0;
}

// Whether a write may be the first that is gathered. NB: a commit's header may come alone, when SQLite corrects
// headers that it has written: nothing would follow with which it was written.
static bool begins(const LogFile *log, const void *bytes, int count) {
  return log->database && log->database->is_writing && count == FRAME_HEADER_BYTES && !is_commit(bytes);
}

static bool continues(const LogFile *log, int count, sqlite3_int64 offset) {
  return log->count > 0 && offset == log->offset + log->count && count <= GATHERED_MAX - log->count;
}

static int gather(LogFile *log, const void *bytes, int count) {
  bool is_header = count == FRAME_HEADER_BYTES;
  bool was_last = log->is_last;
  memcpy(log->bytes + log->count, bytes, (size_t)count);
  log->count += count;
  log->is_last = is_header && is_commit(bytes);
  return was_last ? flush(log) : SQLITE_OK;
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  LogFile *log = (LogFile *)file;
  if (log->failure != SQLITE_OK) return log->failure;
  if (continues(log, count, offset)) return gather(log, bytes, count);
  int code = flush(log);
  if (code != SQLITE_OK) return code;
  if (begins(log, bytes, count)) {
    if (!log->bytes) log->bytes = sqlite3_malloc(GATHERED_MAX);
    log->offset = offset;
    if (log->bytes) return gather(log, bytes, count);
  }
  PASS(xWrite, bytes, count, offset);
}

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  LogFile *log = (LogFile *)file;
  sqlite3_int64 end = log->offset + log->count;
  bool is_within = log->count > 0 && offset >= log->offset && offset + count <= end;
  if (is_within) {
    memcpy(bytes, log->bytes + (offset - log->offset), (size_t)count);
    return SQLITE_OK;
  }
  bool is_beside = log->count == 0 || offset >= end || offset + count <= log->offset;
  if (!is_beside) {
    int code = flush(log);
    if (code != SQLITE_OK) return code;
  }
  PASS(xRead, bytes, count, offset);
}

// One call of the log that what was gathered goes before.
#define FLUSH_AND_PASS(method, ...)      \
  do {                                   \
    int code = flush((LogFile *)file);   \
    if (code != SQLITE_OK) return code;  \
    PASS(method, ##__VA_ARGS__);         \
  } while (0)

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) { FLUSH_AND_PASS(xTruncate, size); }

static int log_sync(sqlite3_file *file, int flags) { FLUSH_AND_PASS(xSync, flags); }

static int log_size(sqlite3_file *file, sqlite3_int64 *size) { FLUSH_AND_PASS(xFileSize, size); }

static int log_close(sqlite3_file *file) {
  LogFile *log = (LogFile *)file;
  if (log->database) log->database->log = NULL;
  sqlite3_free(log->bytes);
  log->bytes = NULL;
  PASS(xClose);
}

static int log_lock(sqlite3_file *file, int lock) { PASS(xLock, lock); }

static int log_unlock(sqlite3_file *file, int lock) { PASS(xUnlock, lock); }

static int log_reserved(sqlite3_file *file, int *is_reserved) { PASS(xCheckReservedLock, is_reserved); }

static int log_control(sqlite3_file *file, int operation, void *argument) {
  PASS(xFileControl, operation, argument);
}

static int log_sector(sqlite3_file *file) { PASS(xSectorSize); }

static int log_device(sqlite3_file *file) { PASS(xDeviceCharacteristics); }

// Version 1: of a log SQLite maps nothing, and the locks are the database's.
const sqlite3_io_methods log_methods = {
  .iVersion = 1,
  .xClose = log_close,
  .xRead = log_read,
  .xWrite = log_write,
  .xTruncate = log_truncate,
  .xSync = log_sync,
  .xFileSize = log_size,
  .xLock = log_lock,
  .xUnlock = log_unlock,
  .xCheckReservedLock = log_reserved,
  .xFileControl = log_control,
  .xSectorSize = log_sector,
  .xDeviceCharacteristics = log_device,
};
