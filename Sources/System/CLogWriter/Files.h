// What the two halves of the log writer share: the files that SQLite holds, and what they pass on.
#ifndef CONTRAIL_LOG_WRITER_FILES_H
#define CONTRAIL_LOG_WRITER_FILES_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct LogFile LogFile;

// A database's file: it hears when the right to write the log is given and taken back.
typedef struct {
  sqlite3_file file; // First: SQLite hands back its address, which is ours too.
  LogFile *log;
  // Whether this connection holds the lock of whoever writes the log.
  bool is_writing;
} DatabaseFile;

// The database's write-ahead log.
struct LogFile {
  sqlite3_file file; // First, as above.
  // Whose log it is, where what is written to it can be gathered; NULL otherwise.
  DatabaseFile *database;
  // What SQLite has written and the file does not have yet: `count` bytes that belong at `offset`.
  unsigned char *bytes;
  int count;
  sqlite3_int64 offset;
  // Whether the page that comes next is the commit's last.
  bool is_last;
  // Why the bytes could not be written; nothing is written after them until the lock is given back.
  int failure;
};

// The file beneath lies behind ours, in the room that szOsFile asked for.
enum {
  CONTRAIL_FILE_ROOM = sizeof(LogFile) > sizeof(DatabaseFile) ? sizeof(LogFile) : sizeof(DatabaseFile)
};

static inline sqlite3_file *beneath(sqlite3_file *file) {
  return (sqlite3_file *)((char *)file + CONTRAIL_FILE_ROOM);
}

// Passes one call of a file on.
#define PASS(method, ...)                             \
  do {                                                \
    sqlite3_file *real = beneath(file);               \
    return real->pMethods->method(real, ##__VA_ARGS__); \
  } while (0)

// Forgets what was gathered: the transaction that wrote it ends without a commit, or has not begun.
void log_forget(LogFile *log);

extern const sqlite3_io_methods log_methods;

// The methods of a database's file over one with methods of the same version.
const sqlite3_io_methods *database_methods(const sqlite3_io_methods *real);

// Whether a file is one of these.
bool is_database(const sqlite3_file *file);

#endif
