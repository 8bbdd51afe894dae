// What the floors share among themselves.
#ifndef CONTRAIL_STORE_FLOORS_STORE_H
#define CONTRAIL_STORE_FLOORS_STORE_H

#include "StoreFloors.h"

#include <sqlite3.h>

struct floor_store {
  sqlite3 *database;
};

// Prepares a statement for many uses.
int floor_prepare(floor_store *store, floor_sql_name name, sqlite3_stmt **statement);
// Runs a statement that has no results, and makes it ready for the next use.
int floor_run(sqlite3_stmt *statement);
int floor_execute(floor_store *store, floor_sql_name name);

#endif
