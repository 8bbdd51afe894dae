// A file system for SQLite that writes the pages of one commit to the write-ahead log in one call.
//
// SQLite writes each page of a commit in two: 24 bytes about it, then the page. A small transaction of five pages is ten
// system calls, which are a third of what it costs. Here they are gathered in memory until the commit's last page, and
// written together; the log's bytes are the same, and stand in it at the same moment: before anybody is told of them.
#ifndef CONTRAIL_LOG_WRITER_H
#define CONTRAIL_LOG_WRITER_H

#include <sqlite3.h>

// Makes the file system known to SQLite by a name, over the one named `beneath`, or over SQLite's own. It stays until
// it is freed; NULL where it cannot be made.
sqlite3_vfs *contrail_log_writer_make(const char *name, const char *beneath);

// Removes one that nobody uses any more.
void contrail_log_writer_free(sqlite3_vfs *vfs);

#endif
