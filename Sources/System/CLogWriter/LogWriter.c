// The file system itself: it opens databases and their logs as files of its own, and passes the rest on.
#include "Files.h"

#include "CLogWriter.h"

#include <stdlib.h>
#include <string.h>

static sqlite3_vfs *real_vfs(sqlite3_vfs *vfs) { return vfs->pAppData; }

// Opens the file beneath one of ours, which gets its methods once that has worked: SQLite does not close a file without.
static int open_beneath(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out) {
  memset(file, 0, CONTRAIL_FILE_ROOM);
  sqlite3_file *real = beneath(file);
  real->pMethods = NULL;
  int code = real_vfs(vfs)->xOpen(real_vfs(vfs), name, real, flags, flags_out);
  // One that fails to open may have to be closed all the same: https://www.sqlite.org/c3ref/file.html
  if (code != SQLITE_OK && real->pMethods) real->pMethods->xClose(real);
  return code;
}

static int open_database(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out) {
  int code = open_beneath(vfs, name, file, flags, flags_out);
  if (code == SQLITE_OK) file->pMethods = database_methods(beneath(file)->pMethods);
  return code;
}

static int open_log(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out) {
  int code = open_beneath(vfs, name, file, flags, flags_out);
  if (code != SQLITE_OK) return code;
  file->pMethods = &log_methods;
  sqlite3_file *database = sqlite3_database_file_object(name);
  if (!database || !is_database(database)) return SQLITE_OK;
  // Where a write may damage what stands beside it, SQLite fills up sectors with parts of pages, which may be taken for
  // what stands before pages.
  int device = database->pMethods->xDeviceCharacteristics(database);
  if (!(device & SQLITE_IOCAP_POWERSAFE_OVERWRITE)) return SQLITE_OK;
  LogFile *log = (LogFile *)file;
  log->database = (DatabaseFile *)database;
  log->database->log = log;
  return SQLITE_OK;
}

static int vfs_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out) {
  if (name && (flags & SQLITE_OPEN_MAIN_DB)) return open_database(vfs, name, file, flags, flags_out);
  if (name && (flags & SQLITE_OPEN_WAL)) return open_log(vfs, name, file, flags, flags_out);
  sqlite3_vfs *real = real_vfs(vfs);
  return real->xOpen(real, name, file, flags, flags_out);
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int is_synced) {
  return real_vfs(vfs)->xDelete(real_vfs(vfs), name, is_synced);
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  return real_vfs(vfs)->xAccess(real_vfs(vfs), name, flags, result);
}

static int vfs_full_name(sqlite3_vfs *vfs, const char *name, int count, char *result) {
  return real_vfs(vfs)->xFullPathname(real_vfs(vfs), name, count, result);
}

static void *vfs_load(sqlite3_vfs *vfs, const char *name) {
  return real_vfs(vfs)->xDlOpen(real_vfs(vfs), name);
}

static void vfs_load_error(sqlite3_vfs *vfs, int count, char *text) {
  real_vfs(vfs)->xDlError(real_vfs(vfs), count, text);
}

static void (*vfs_symbol(sqlite3_vfs *vfs, void *library, const char *name))(void) {
  return real_vfs(vfs)->xDlSym(real_vfs(vfs), library, name);
}

static void vfs_unload(sqlite3_vfs *vfs, void *library) {
  real_vfs(vfs)->xDlClose(real_vfs(vfs), library);
}

static int vfs_random(sqlite3_vfs *vfs, int count, char *bytes) {
  return real_vfs(vfs)->xRandomness(real_vfs(vfs), count, bytes);
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  return real_vfs(vfs)->xSleep(real_vfs(vfs), microseconds);
}

static int vfs_time(sqlite3_vfs *vfs, double *time) {
  return real_vfs(vfs)->xCurrentTime(real_vfs(vfs), time);
}

static int vfs_time_in_milliseconds(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  return real_vfs(vfs)->xCurrentTimeInt64(real_vfs(vfs), time);
}

static int vfs_last_error(sqlite3_vfs *vfs, int count, char *text) {
  return real_vfs(vfs)->xGetLastError(real_vfs(vfs), count, text);
}

sqlite3_vfs *contrail_log_writer_make(const char *name, const char *beneath) {
  sqlite3_vfs *real = sqlite3_vfs_find(beneath);
  if (!real || real->iVersion < 2) return NULL;
  sqlite3_vfs *vfs = calloc(1, sizeof *vfs);
  char *copy = strdup(name);
  if (vfs && copy) {
    *vfs = (sqlite3_vfs){
      .iVersion = 2,
      .szOsFile = CONTRAIL_FILE_ROOM + real->szOsFile,
      .mxPathname = real->mxPathname,
      .zName = copy,
      .pAppData = real,
      .xOpen = vfs_open,
      .xDelete = vfs_delete,
      .xAccess = vfs_access,
      .xFullPathname = vfs_full_name,
      .xRandomness = vfs_random,
      .xSleep = vfs_sleep,
      .xCurrentTime = vfs_time,
      .xGetLastError = vfs_last_error,
      .xCurrentTimeInt64 = vfs_time_in_milliseconds,
    };
    if (real->xDlOpen) {
      vfs->xDlOpen = vfs_load;
      vfs->xDlError = vfs_load_error;
      vfs->xDlSym = vfs_symbol;
      vfs->xDlClose = vfs_unload;
    }
    if (sqlite3_vfs_register(vfs, 0) == SQLITE_OK) return vfs;
  }
  free(copy);
  free(vfs);
  return NULL;
}

void contrail_log_writer_free(sqlite3_vfs *vfs) {
  sqlite3_vfs_unregister(vfs);
  free((char *)vfs->zName);
  free(vfs);
}
